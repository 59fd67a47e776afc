import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/**
 * Time limits for clients, in seconds. They end the connections of slow clients (Slowloris attacks). The number of
 * connections is not limited: a single client with many of them would lock all others out.
 */
export const defaultTimeouts = {
  /** For the head of a request, from the connection or from the first byte of a further request. */
  head: 15,
  /** For a whole request. Enough for 64 KiB at 18 kbit/s; a form sends 1 kB. */
  request: 30,
  /**
   * Without a byte in either direction, as when a client does not read its answer. No handler takes as long: PostgreSQL
   * ends a visitor's statement after 8 s, and a wait for a connection ends after 5 s.
   */
  silence: 30,
  /** Between two requests. Longer than the 60 s of common load balancers: they must close first, or they answer 502. */
  idle: 72,
  /** How often it is checked whether a request takes too long. */
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

/**
 * Browsers and proxies send the next request after the answer, but 64 KiB hold 2,300 requests, which Node reads at once.
 * Without this limit 24 connections with 2,000 requests each took 397 MB and made a visitor wait 1.6 s for a page; with it
 * 237 MB and 0.06 s.
 */
const unansweredMax = 16;

/** Returns Fastify's options for a server that limits its clients, and what makes an app's stop lose no request. */
export function limitClients(limits: Timeouts) {
  const { head, request, idle, check, silence } = limits;
  /** The open connections, each with the answers that its client has not received yet. */
  const connections = new Map<Socket, Set<ServerResponse>>();

  const serverFactory = (handler: RequestListener) => {
    const timeouts = { headersTimeout: head * 1000, requestTimeout: request * 1000, keepAliveTimeout: idle * 1000 };
    const server = createServer({ ...timeouts, connectionsCheckingInterval: check * 1000 }, (request, response) => {
      const { socket } = request;
      const unanswered = connections.get(socket);
      // Node goes on with what it has read of a connection that was closed meanwhile.
      if (!unanswered || socket.destroyed) return;
      if (unanswered.size >= unansweredMax) return socket.destroy();
      unanswered.add(response);
      response.once("close", () => unanswered.delete(response));
      handler(request, response);
    });
    server.on("connection", (socket: Socket) => {
      // Node keeps the address only if it is read while the client is connected: `request.ip` may be read later.
      if (socket.remoteAddress === undefined) return socket.destroy();
      connections.set(socket, new Set());
      socket.once("close", () => connections.delete(socket));
    });
    return server.setTimeout(silence * 1000);
  };

  return {
    // During a stop Fastify would refuse the next request of an open connection. The database is still there for it.
    options: { serverFactory, return503OnClosing: false },
    stopWithoutLoss: (app: FastifyInstance) =>
      app.addHook("preClose", () => (app.server.listening ? stop(app.server, connections, limits) : Promise.resolve())),
  };
}

/**
 * Answers what has arrived, tells clients with each answer that it is the last one, and closes what stays idle. Node's own
 * stop would close a connection on which a proxy is sending a request, or whose client has not received all of its answer.
 */
async function stop(server: Server, connections: ReadonlyMap<Socket, ReadonlySet<ServerResponse>>, limits: Timeouts) {
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
  // The method of an HTTP server would also close idle connections.
  Server.prototype.close.call(server);
  const closedAt = performance.now();
  while (connections.size > 0) {
    const seconds = (performance.now() - closedAt) / 1000;
    for (const [socket, unanswered] of connections)
      if (seconds > (unanswered.size > 0 ? limits.stopAnswer : limits.stopIdle)) socket.destroy();
    await pause(10);
  }
}
