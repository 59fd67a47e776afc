import { createHmac, randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { createWebhook, signatureHeaders, type WebhookEvent, type WebhookOptions } from "./webhook.ts";

const event: WebhookEvent = {
  id: "7e0f3b0a-2f0e-4f5f-9d8b-0c8e6f1a2b3c",
  type: "contact.created",
  contact: {
    id: "7e0f3b0a-2f0e-4f5f-9d8b-0c8e6f1a2b3c",
    name: "Zoë Łąka 🦉",
    company: "Heron & Sons",
    email: "zoe@example.com",
    interest: "consulting",
    submitted_at: new Date("2026-11-21T05:00:00.000Z"),
  },
};

/** A real HTTP server on loopback that answers each request with `answer`. */
const startReceiver = (answer: RequestListener) => listenOnLoopback(createServer(answer));

/** A TCP server on loopback that calls `answer` at the first bytes of each connection. */
const startTcp = (answer: (socket: Socket) => void) =>
  listenOnLoopback(createTcpServer((socket) => socket.once("data", () => answer(socket))));

function webhook(url: string, options: Partial<WebhookOptions> = {}) {
  return createWebhook({ url, secret: "a plain secret", allowPrivate: true, ...options });
}

const bytes = randomBytes(24);

test.each([
  ["whsec_ and base64", `whsec_${bytes.toString("base64")}`, bytes],
  ["plain characters", "Käuzchen", Buffer.from("Käuzchen", "utf8")],
])("the receiver can verify the webhook signature with a secret of %s", async (_what, secret, key) => {
  const received: { headers: NodeJS.Dict<string | string[]>; method?: string; path?: string; body: string }[] = [];
  const port = await startReceiver(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    received.push({ method, path, headers, body: await text(request) });
    response.end("thank you");
  });
  await webhook(`http://us%er:ä%zz%40ss%@127.0.0.1:${port}/hooks?of=contacts`, { secret }).send(event);

  const [{ method, path, headers, body } = { headers: {}, body: "" }] = received;
  expect([received.length, method, path]).toEqual([1, "POST", "/hooks?of=contacts"]);
  expect(headers).toMatchObject({ "content-type": "application/json", host: `127.0.0.1:${port}` });
  expect(headers.authorization).toBe(`Basic ${Buffer.from("us%er:ä%zz@ss%").toString("base64")}`);
  expect(JSON.parse(body)).toEqual({
    type: "contact.created",
    timestamp: "2026-11-21T05:00:00.000Z",
    data: { ...event.contact, submitted_at: "2026-11-21T05:00:00.000Z" },
  });

  expect(headers["webhook-id"]).toBe(event.id);
  const seconds = Number(headers["webhook-timestamp"]);
  expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(300);
  const signed = createHmac("sha256", key).update(`${event.id}.${seconds}.${body}`, "utf8").digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${signed}`);
});

test("the signature is that of the example of Standard Webhooks", () => {
  const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  expect(
    signatureHeaders(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}', new Date(1614265330 * 1000)),
  ).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("createWebhook refuses a WEBHOOK_SECRET that decodes to an empty key", () => {
  for (const secret of ["", "whsec_", "whsec_!!"]) {
    expect(() => webhook("http://hooks.example", { secret })).toThrow(/^WEBHOOK_SECRET holds no key/);
  }
});

describe("the error of a failed webhook request", () => {
  test("names the response status, and asks for a new WEBHOOK_URL after a redirect; the redirect is not followed", async () => {
    const paths: unknown[] = [];
    const port = await startReceiver(({ url }, response) => {
      paths.push(url);
      response.writeHead(url === "/here" ? 307 : 503, { location: "/elsewhere" }).end();
    });
    await expect(webhook(`http://127.0.0.1:${port}/`).send(event)).rejects.toThrow("The webhook answered 503.");
    await expect(webhook(`http://127.0.0.1:${port}/here`).send(event)).rejects.toThrow(
      "The webhook answered 307, which leads to another address: set WEBHOOK_URL to that one.",
    );
    expect(paths).toEqual(["/", "/here"]);
  });

  test("names the host and the cause if the receiver cannot be reached", async () => {
    await expect(webhook("http://user:password@127.0.0.1:1/").send(event)).rejects.toThrow(
      /^127\.0\.0\.1 could not be reached: connection refused\.$/,
    );
    await expect(webhook("http://nobody.invalid/").send(event)).rejects.toThrow(
      /^nobody\.invalid could not be reached: .*name.*\.$/,
    );
  });

  test("says if the receiver disconnected, does not speak HTTP or does not speak TLS", async () => {
    const hangsUp = await startTcp((socket) => socket.destroy());
    await expect(webhook(`http://127.0.0.1:${hangsUp}`).send(event)).rejects.toThrow(
      "127.0.0.1 closed the connection without an answer.",
    );
    const speaksSmtp = await startTcp((socket) => socket.write("220 smtp.example ESMTP\r\n"));
    await expect(webhook(`http://127.0.0.1:${speaksSmtp}`).send(event)).rejects.toThrow(
      "127.0.0.1 answered with something that is not HTTP.",
    );
    const plain = await startReceiver((_request, response) => void response.end());
    await expect(webhook(`https://127.0.0.1:${plain}`).send(event)).rejects.toThrow(
      "127.0.0.1 could not be reached: it does not offer TLS on this port, or no version that we support.",
    );
  });
});

test("a 202 response with an endless body counts as success at the time limit", async () => {
  const port = await startReceiver((_request, response) => {
    response.writeHead(202);
    const pour = () => {
      while (!response.destroyed && response.write("x".repeat(64 * 1024)));
    };
    response.on("drain", pour);
    pour();
  });
  await webhook(`http://127.0.0.1:${port}`, { attemptSecondsMax: 1 }).send(event);
});

test("a webhook request without a complete response status fails at the time limit", async () => {
  for (const answer of ["", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2"]) {
    const port = await startTcp((socket) => socket.write(answer));
    const attempt = webhook(`http://127.0.0.1:${port}`, { attemptSecondsMax: 0.3 }).send(event);
    await expect(attempt).rejects.toThrow("127.0.0.1 did not answer in time.");
  }
});

test("a 200 response that stops in the middle of the body counts as success", async () => {
  const port = await startReceiver((_request, response) => void response.writeHead(200).write("wait"));
  await webhook(`http://127.0.0.1:${port}`, { attemptSecondsMax: 0.3 }).send(event);
});

test.each(["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost"])(
  "without WEBHOOK_ALLOW_PRIVATE, the server does not connect to a webhook at %s",
  async (host) => {
    let connections = 0;
    const server = createServer((_request, response) => void response.end());
    server.on("connection", () => connections++);
    const url = `http://${host}:${await listenOnLoopback(server)}`;

    await expect(webhook(url, { allowPrivate: false }).send(event)).rejects.toThrow(
      /^\S+ (is|leads to) .*private address.*, which the webhook may call only while WEBHOOK_ALLOW_PRIVATE is on\.$/,
    );
    expect(connections).toBe(0);
    await webhook(url).send(event);
    expect(connections).toBe(1);
  },
);
