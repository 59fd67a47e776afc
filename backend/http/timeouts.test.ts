import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultTimeouts, limitClients, type Timeouts } from "./timeouts.ts";

let app: FastifyInstance;

/** Larger than the buffers of a connection, so that the server has to wait for the client. */
const large = Buffer.alloc(64 * 1024 * 1024);

/** Starts a server with these limits. It answers `/held` only after a call of `answerHeld()`. */
async function start(changed: Partial<Timeouts>) {
  const limits = { ...defaultTimeouts, check: 0.05, ...changed };
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let heldCount = 0;
  let unroutableCount = 0;
  const clients = limitClients(limits);
  app = Fastify({
    ...clients.options,
    frameworkErrors: (_error, _request, { raw }) => {
      unroutableCount += 1;
      raw.writeHead(400).end();
    },
  });
  clients.stopWithoutLoss(app);
  const { close } = app;
  onTestFinished(() => close());
  app.get("/large", (_request, reply) => reply.send(large));
  app.post("/echo", (request) => request.body as object);
  app.get("/held", async () => {
    heldCount += 1;
    arrived.resolve();
    await held.promise;
    return "answered";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    answerHeld: held.resolve,
    heldArrived: arrived.promise,
    heldCount: () => heldCount,
    unroutableCount: () => unroutableCount,
  };
}

/**
 * Connects a client that sends only `text`. When the connection is closed, `closed` resolves with what the client
 * received.
 */
async function dial(port: number, text: string, { reads = true } = {}) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  if (reads) socket.on("data", (chunk) => (received += chunk));
  const closed = new Promise<string>((resolve) => socket.on("error", () => {}).on("close", () => resolve(received)));
  await once(socket, "connect");
  socket.write(text);
  return { socket, closed };
}

/** Calls `drop` again and again until the test ends. */
function drip(drop: () => void) {
  const dripping = setInterval(drop, 20);
  onTestFinished(() => clearInterval(dripping));
}

const slowHead = "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ";
const slowBody = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"a"`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("a connection with more than 16 unanswered requests is closed, also of addresses that cannot be decoded", async () => {
  const { port, answerHeld, heldCount, unroutableCount } = await start({});
  const flood = await dial(port, get("/held").repeat(17));
  expect(await flood.closed).toBe("");
  expect(heldCount()).toBe(16);
  const broken = await dial(port, get("/%ff").repeat(2000));
  await broken.closed;
  expect(unroutableCount()).toBe(16);

  const last = get("/held").replace("Host", "Connection: close\r\nHost");
  const many = await dial(port, get("/held").repeat(15) + last);
  await vi.waitUntil(() => heldCount() === 32);
  answerHeld();
  expect((await many.closed).match(/HTTP\/1\.1 200 /g)).toHaveLength(16);
});

test("the address of a client is still known after the client has disconnected", async () => {
  const { port, heldArrived, answerHeld } = await start({});
  const late = new Promise((resolve) =>
    app.server.once("request", ({ socket }) => socket.once("close", () => resolve(socket.remoteAddress))),
  );
  const { socket } = await dial(port, get("/held"));
  await heldArrived;
  socket.destroy();
  expect(await late).toBe("127.0.0.1");
  answerHeld();
});

test("an incomplete request head or a connection without data gets 408", async () => {
  const { port } = await start({ head: 0.2 });
  for (const text of [slowHead, ""]) {
    const { closed } = await dial(port, text);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
  }
});

test("a client that sends a request body byte by byte gets 408 and is disconnected", async () => {
  const { port } = await start({ head: 0.2, request: 0.2 });
  const { socket, closed } = await dial(port, slowBody.replace("20", "20000"));
  drip(() => socket.write(" "));
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
});

test("a client that does not read is disconnected; a reading client gets the full response", async () => {
  const impatient = await start({ silence: 0.3 });
  const accepted = once(app.server, "connection");
  const nonReader = await dial(impatient.port, get("/large"), { reads: false });
  await accepted;
  await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 });
  nonReader.socket.resume();
  await nonReader.closed;
  expect(nonReader.socket.bytesRead).toBeLessThan(large.length);

  // The reading client gets a server with the usual limits: on a slow machine it may pause for longer than the short
  // limit of the first server.
  await app.close();
  const { port } = await start({});
  const reader = await dial(port, get("/large").replace("Host", "Connection: close\r\nHost"), { reads: false });
  reader.socket.resume();
  await reader.closed;
  expect(reader.socket.bytesRead).toBeGreaterThan(large.length);
});

test("a stopping server answers received requests and drops slow clients", async () => {
  const { port, answerHeld, heldArrived } = await start({ stopAnswer: 1 });

  const honest = await dial(port, get("/held"));
  await heldArrived;
  let further = 0;
  app.server.on("request", () => (further += 1));
  const head = await dial(port, slowHead);
  const body = await dial(port, slowBody);
  const nonReader = await dial(port, get("/large"), { reads: false });
  const idle = await dial(port, get("/"));
  const silent = await dial(port, "");
  await vi.waitUntil(async () => further === 3 && (await connections()) >= 4, { timeout: 30_000 });

  const closing = app.close();
  await vi.waitUntil(() => !app.server.listening, { timeout: 30_000 });
  answerHeld();
  expect(await honest.closed).toMatch(/connection: close[\s\S]*answered$/i);
  await Promise.all([head.closed, body.closed, idle.closed, silent.closed, closing]);
  nonReader.socket.resume();
  await nonReader.closed;
  expect(nonReader.socket.bytesRead).toBeLessThan(large.length);
  await expect(dial(port, get("/"))).rejects.toThrow("ECONNREFUSED");
});

test("a stopping server lets clients finish reading responses that are already written", async () => {
  const { port } = await start({ stopAnswer: 3600 });
  const made = once(app.server, "request");
  const { socket, closed } = await dial(port, get("/large"), { reads: false });
  const [, response] = await made;
  await vi.waitUntil(() => response.writableEnded, { timeout: 30_000 });
  const closing = app.close();
  socket.resume();
  await Promise.all([closed, closing]);
  expect(socket.bytesRead).toBeGreaterThan(large.length);
});

test("a stopping server answers requests on connections that it had not accepted yet", async () => {
  const { port } = await start({ stopAnswer: 3600, stopIdle: 3600 });
  const clients = Array.from({ length: 20 }, () => dial(port, get("/")));
  // The system connects in this turn of the event loop, and Node accepts one connection in each of the next turns.
  await new Promise(process.nextTick);
  const closing = app.close();
  for (const client of clients) expect(await (await client).closed).toMatch(/^HTTP\/1\.1 404 /);
  await closing;
});

test("a stopping server answers the next request of an idle connection, and then closes it", async () => {
  const { port } = await start({ stopAnswer: 3600, stopIdle: 3600 });
  const idle = await dial(port, get("/"));
  await once(idle.socket, "data");
  const closing = app.close();
  await vi.waitUntil(() => !app.server.listening, { timeout: 30_000 });
  idle.socket.write(get("/large"));
  const [answer] = await once(idle.socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  await Promise.all([idle.closed, closing]);
});

function connections(): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
}
