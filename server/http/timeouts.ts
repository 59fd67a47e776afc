import { lookup as dnsLookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** How long a client may take. In seconds. */
export interface Timeouts {
  /** For the head of a request, from the opening of the connection or the first byte of a further request. */
  head: number;
  /** For the body, after the head. */
  body: number;
  /** While no byte moves in either direction: a client that does not read its answer. Longer than any handler takes. */
  silence: number;
  /** For an answer, from the request's head until the client has taken all of it. */
  answer: number;
  /** Between two requests. */
  idle: number;
  /** How often heads are looked at. */
  check: number;
  /** After the stop has begun: for a request to be there completely, and for its answer to be made and taken. */
  stopArrival: number;
  stopAnswer: number;
}

/**
 * No limit on the number of connections or of requests on one: with such a limit, a single client that opens many keeps
 * all others out, whereas a slow connection costs a few kilobytes until its time is over.
 */
export const defaultTimeouts: Timeouts = {
  head: 15,
  // The largest body that is read, 1 MiB, at 280 kbit/s. A contact is 1 kB.
  body: 30,
  // A statement of a visitor ends after 8 s, a wait for a connection after 5 s, and browsers of ours after 15 s.
  silence: 30,
  // The largest file of a site, 1 MB, at 28 kbit/s.
  answer: 300,
  // Longer than the 60 s of common load balancers: the side that closes first must be theirs, or they answer 502.
  idle: 72,
  check: 2,
  stopArrival: 1,
  // A visitor's insert ends after 3 s. All of the stop has 10 s.
  stopAnswer: 4,
};

/** Every address that a host name leads to, as `node:dns/promises` finds them. */
export type Lookup = (host: string, options: { all: true }) => Promise<{ address: string }[]>;

/** The error that ends the reading of a body. Every protocol answers Fastify's own 4xx in its own shape. */
const bodyTooSlow = () =>
  Object.assign(new Error("The body of the request took too long to arrive"), {
    code: "FST_ERR_BODY_TIMEOUT",
    statusCode: 408,
  });

/**
 * Node's HTTP server with time limits, and an end that does not depend on its clients. Fastify would make one server for
 * each address of `localhost`, and its close waits for the first of them only; here one server has all connections,
 * whichever address accepted them, so that no limit and no end can miss one.
 */
export function serverWithTimeouts(host: string, limits: Timeouts = defaultTimeouts, lookup: Lookup = dnsLookup) {
  const server = createServer({
    headersTimeout: limits.head * 1000,
    // For bodies that no handler reads; those that are read end before, with an answer.
    requestTimeout: (limits.head + 2 * limits.body) * 1000,
    keepAliveTimeout: limits.idle * 1000,
    connectionsCheckingInterval: limits.check * 1000,
  });
  server.setTimeout(limits.silence * 1000);

  const unanswered = new Map<Socket, Set<ServerResponse>>();
  const slowBodies = new Set<() => void>();
  let stopping = false;

  // Node's own times for silence and idleness begin anew with every byte, such as an empty line between two requests.
  const idle = new WeakMap<Socket, { timer: NodeJS.Timeout; bytesBefore: number }>();
  const expectRequest = (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), (limits.idle + limits.head) * 1000);
    idle.set(socket, { timer, bytesBefore: socket.bytesRead });
  };

  server.on("connection", (socket: Socket) => {
    unanswered.set(socket, new Set());
    expectRequest(socket);
    socket.once("close", () => {
      clearTimeout(idle.get(socket)?.timer);
      unanswered.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    const responses = unanswered.get(socket);
    responses?.add(response);
    clearTimeout(idle.get(socket)?.timer);
    const slow = setTimeout(() => socket.destroy(), limits.answer * 1000);
    response.once("close", () => {
      clearTimeout(slow);
      responses?.delete(response);
      if (socket.destroyed || responses?.size) return;
      if (stopping) socket.destroySoon();
      else expectRequest(socket);
    });
  });
  // Node takes a connection for idle whose answer is made and not yet taken, and would cut it off at the end.
  server.closeIdleConnections = () => {
    for (const [socket, responses] of unanswered) {
      if (responses.size === 0 && socket.bytesRead === idle.get(socket)?.bytesBefore) socket.destroy();
    }
  };
  const alsoListening = host === "localhost" ? listenOnAllOf(host, server, lookup) : undefined;

  /** Ends connections without a request. Of the others, those whose request is not there completely. */
  function endUnfinishedRequests() {
    for (const [socket, responses] of unanswered) if (responses.size === 0) socket.destroy();
    for (const refuse of slowBodies) refuse();
  }

  return {
    /** For Fastify, which makes its handler later than its server. */
    serverFactory(handler: RequestListener) {
      return server.on("request", handler);
    },

    /** What the limits and the end need to know of each request. */
    watch(app: FastifyInstance) {
      app.addHook("preParsing", ({ headers }, reply, body, parse) => {
        if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return parse();
        // Destroying the stream would take the connection along, and with it the answer. The parser stops at an error.
        const refuse = () => body.listenerCount("error") > 0 && body.emit("error", bodyTooSlow());
        const timer = setTimeout(refuse, limits.body * 1000);
        const settle = () => {
          clearTimeout(timer);
          slowBodies.delete(refuse);
        };
        slowBodies.add(refuse);
        body.once("end", settle);
        reply.raw.once("close", settle);
        parse();
      });
      app.addHook("onSend", async (_request, reply) => {
        if (stopping) reply.header("connection", "close");
      });
      app.addHook("preClose", drain);
    },
  };

  /**
   * Accepts nothing more, answers the requests that are there, and ends every connection within the limits. Resolves
   * once there is none.
   */
  async function drain() {
    stopping = true;
    alsoListening?.close();
    // Ends the idle connections as well.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const ended = () => unanswered.size === 0;
    await untilTrue(ended, limits.stopArrival);
    endUnfinishedRequests();
    await untilTrue(ended, limits.stopAnswer - limits.stopArrival);
    for (const socket of unanswered.keys()) socket.destroy();
    await closed;
  }
}

/** Connections to the other addresses of `host` are handed to `server`, as if it had accepted them itself. */
function listenOnAllOf(host: string, server: Server, lookup: Lookup) {
  // As Node's HTTP server accepts its own.
  const accepting = { allowHalfOpen: true, noDelay: true };
  const others: ReturnType<typeof createTcpServer>[] = [];

  server.on("listening", async () => {
    const own = server.address();
    const addresses = await lookup(host, { all: true }).catch(() => []);
    for (const { address } of addresses) {
      if (!server.listening || !own || typeof own === "string" || own.address === address) continue;
      const other = createTcpServer(accepting, (socket) => server.emit("connection", socket));
      // One address is enough: IPv6 may be switched off, or another program may have this port there.
      other.on("error", () => {});
      others.push(other.listen(own.port, address));
    }
  });
  return {
    close() {
      for (const other of others) other.close();
    },
  };
}

async function untilTrue(condition: () => boolean, seconds: number) {
  const deadline = performance.now() + seconds * 1000;
  while (!condition() && performance.now() < deadline) await pause(10);
}
