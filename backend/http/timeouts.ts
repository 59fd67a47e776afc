import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { hasBody } from "./body-limit.ts";

/**
 * Time limits for clients, in seconds. They end the connections of slow clients (Slowloris attacks). The number of
 * connections is not limited: a single client with many of them would lock all others out.
 */
export const defaultTimeouts = {
  /** For the head of a request, from the connection or from the first byte of a further request. */
  head: 15,
  /** For a whole request. Enough for 64 KiB at 18 kbit/s; a contact has 1 kB. */
  request: 30,
  /**
   * Without a byte in either direction, as when a client does not read its answer. No handler takes as long: PostgreSQL
   * ends a visitor's statement after 8 s, and a wait for a connection ends after 5 s.
   */
  silence: 30,
  /** Between two requests. Longer than the 60 s of common load balancers: they must close first, or they answer 502. */
  idle: 72,
  /** How often it is checked whether a head or an answer takes too long. */
  check: 2,
  /**
   * During a stop, for a connection without an open request. A proxy may be sending a request on it, which would be
   * lost if the server closed the connection at once. Each answer says that it is the last one.
   */
  stopIdle: 1,
  /** After a stop, for requests that wait for PostgreSQL. */
  stopWait: 3,
  /** After a stop, for all answers. Longer than a visitor's insert, which ends after 3 s; the whole stop may take 10 s. */
  stopAnswer: 4,
};

export type Timeouts = typeof defaultTimeouts;

/** The limits that Node enforces. */
export function serverOptions({ head, request, idle, check }: Timeouts) {
  return {
    http: { headersTimeout: head * 1000, connectionsCheckingInterval: check * 1000 },
    requestTimeout: request * 1000,
    keepAliveTimeout: idle * 1000,
    // During a stop Fastify would refuse the next request of an open connection. The database is still there for it.
    return503OnClosing: false,
  };
}

/**
 * Browsers and proxies send the next request after the answer, but 64 KiB hold 2,300 requests, which Node reads at once
 * and whose answers wait in memory until the client reads them.
 */
const unansweredMax = 16;

/** The open connections, each with the answers that its client has not received yet. */
type Connections = ReadonlyMap<Socket, ReadonlySet<ServerResponse>>;

/** Adds what Node and Fastify lack: a limit for unanswered requests, and a stop that loses no request. */
export function limitClients(app: FastifyInstance, host: string, limits: Timeouts) {
  const connections = limitUnanswered(app);
  endSilentConnections(app, connections, limits);
  const ipv6Loopback = listenOnIpv6Loopback(app, host);
  stopWithoutLoss(app, connections, ipv6Loopback, limits);
}

/**
 * Closes a connection with too many unanswered requests. Only requests without a body may come before the answers to
 * earlier ones: each body takes memory until its turn, and RFC 9112 (9.3.2) advises clients to wait after a POST.
 */
function limitUnanswered(app: FastifyInstance): Connections {
  const connections = new Map<Socket, Set<ServerResponse>>();
  app.server.on("connection", (socket: Socket) => {
    // Node keeps the address only if it is read while the client is connected: `request.ip` may be read later.
    if (socket.remoteAddress === undefined) return socket.destroy();
    connections.set(socket, new Set());
    socket.once("close", () => connections.delete(socket));
  });
  // Before Fastify, whose hooks do not run for an address that it cannot route.
  const [answer] = app.server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    const { socket } = request;
    const unanswered = connections.get(socket);
    // Node goes on with what it has read of a connection that was closed meanwhile.
    if (!unanswered || socket.destroyed) return;
    const mayBePipelined = /^(GET|HEAD)$/.test(request.method ?? "") && !hasBody(request);
    if (unanswered.size >= (mayBePipelined ? unansweredMax : 1)) return socket.destroy();
    unanswered.add(response);
    response.once("close", () => unanswered.delete(response));
    answer?.(request, response);
  });
  return connections;
}

/**
 * Only answers that take long get a socket timeout, because one for each request would make a page a tenth dearer
 * (docs/decisions/pages-through-fastify.md). Node ends the connection when it passes, and clears it with the next
 * request.
 */
function endSilentConnections({ server }: FastifyInstance, connections: Connections, limits: Timeouts) {
  const checking = setInterval(() => {
    for (const [socket, unanswered] of connections)
      if (unanswered.size > 0 && !socket.timeout) socket.setTimeout(limits.silence * 1000);
  }, limits.check * 1000).unref();
  server.once("close", () => clearInterval(checking));
}

/** Fastify would create a second server for `::1`, without these limits, and would not wait for it in a stop. */
function listenOnIpv6Loopback({ server }: FastifyInstance, host: string) {
  const ipv6Loopback = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit("connection", socket),
  );
  // IPv6 may be off, or another program may use the port there: 127.0.0.1 is enough.
  ipv6Loopback.on("error", () => {});
  server.once("listening", () => {
    const address = server.address();
    if (host === "localhost" && typeof address === "object") ipv6Loopback.listen(address?.port, "::1");
  });
  return ipv6Loopback;
}

/** Answers what has arrived, tells clients with each answer that it is the last one, and closes what stays idle. */
function stopWithoutLoss(app: FastifyInstance, connections: Connections, ipv6Loopback: Server, limits: Timeouts) {
  const { server } = app;
  // Node's own function would close a connection whose client has not received all of its answer yet. The hook closes
  // idle ones.
  server.closeIdleConnections = () => {};
  app.addHook("preClose", async () => {
    if (!server.listening) return;
    for (const unanswered of connections.values())
      for (const answer of unanswered) if (!answer.headersSent) answer.setHeader("connection", "close");
    // Node accepts one connection in each turn of the event loop. The system resets those that still wait when the
    // server closes, and the requests that their clients have sent would be lost. At most 511 wait.
    let mayWait = true;
    server.on("connection", () => {
      mayWait = true;
    });
    await setImmediate();
    for (let turn = 0; turn < 511 && mayWait; turn++) {
      mayWait = false;
      await setImmediate();
    }
    ipv6Loopback.close();
    server.close();
    const closedAt = performance.now();
    while (connections.size > 0) {
      const seconds = (performance.now() - closedAt) / 1000;
      for (const [socket, unanswered] of connections)
        if (seconds > (unanswered.size > 0 ? limits.stopAnswer : limits.stopIdle)) socket.destroy();
      await pause(10);
    }
  });
}
