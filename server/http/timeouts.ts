import { lookup as dnsLookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** Time limits for clients, in seconds. */
export interface Timeouts {
  /**
   * Time for the head of a request. It begins when the client connects, or with the first byte of each further request.
   */
  head: number;
  /** Time for the body of a request, from the end of its head. */
  body: number;
  /**
   * If no byte is sent or received for this time, the connection is closed. This happens when a client does not read
   * its answer. The time is longer than any handler needs.
   */
  silence: number;
  /** Time for an answer, from the request's head until the client has received all of the answer. */
  answer: number;
  /** How long a connection may stay open between two requests. */
  idle: number;
  /** How often it is checked whether a head, a request, an answer or a pause has taken too long. */
  check: number;
  /** When the server stops, connections that the system has made may take this time until they are accepted. */
  stopAccept: number;
  /** After that, clients have this time to send the rest of a request. */
  stopReceive: number;
  /** When the server stops, a new connection has this time, since it was made, until its request begins. */
  stopNew: number;
  /** After the server has stopped to listen, a connection that has had a request has this time for a further one. */
  stopIdle: number;
  /** When the server stops, requests that wait for PostgreSQL have this time. */
  stopWait: number;
  /** When the server stops, clients have this time, from the beginning of the stop, to receive all of an answer. */
  stopAnswer: number;
}

/**
 * These limits disconnect slow clients (Slowloris attacks). The number of connections is not limited, nor the number of
 * requests per connection. With such a limit, a single client with many connections would lock all others out. A slow
 * connection only costs a few kilobytes for a while.
 */
export const defaultTimeouts: Timeouts = {
  head: 15,
  // Enough for the largest body that is read, 1 MiB, at 280 kbit/s. A contact has 1 kB.
  body: 30,
  // A handler is faster: PostgreSQL ends a visitor's statement after 8 s, and a wait for a database connection ends
  // after 5 s. Our pages wait 15 s for an answer.
  silence: 30,
  // Enough for the largest file of a site, 1 MB, at 28 kbit/s.
  answer: 300,
  // Longer than the 60 s of common load balancers: they must close first, or they answer 502.
  idle: 72,
  check: 2,
  // A thousandth of it, unless the machine is very busy.
  stopAccept: 2,
  stopReceive: 1,
  // A proxy sends its request as soon as it is connected. A browser also connects in advance.
  stopNew: 0.2,
  stopIdle: 0,
  stopWait: 3,
  // Longer than a visitor's insert, which ends after 3 s. The whole stop of the server may take 10 s.
  stopAnswer: 4,
};

/**
 * A proxy sends a request on any of its idle connections at any moment. One that meets a closing connection is lost,
 * unless it may be sent twice. So the connections in use end with an answer that says so, within a second.
 */
export const timeoutsBehindProxy: Timeouts = { ...defaultTimeouts, stopNew: 1, stopIdle: 1 };

/**
 * This is a turn of the event loop that did nothing: the queue of connections that are not accepted yet is empty, and
 * hardly one can have come since.
 */
const idleTurnMilliseconds = 0.2;

/**
 * A connection with more unanswered requests is closed. Browsers and proxies send the next request after the answer, but
 * 64 KiB hold 2,300 requests, whose answers take 10 MB until the client reads them.
 */
const unansweredMax = 200;

interface Connection {
  /** The answers that the client has not received yet, and when their requests began. */
  unanswered: Map<ServerResponse, number>;
  /** Since when there is no such answer, and how many bytes had come then. */
  idleSince: number;
  bytesBefore: number;
}

/** All addresses of a host name, as `node:dns/promises` returns them. */
export type Lookup = (host: string, options: { all: true }) => Promise<{ address: string }[]>;

/**
 * The error for a body that arrives too slowly. Each API answers it like a 4xx error of Fastify (`fastify-errors.ts`).
 */
const bodyTooSlow = () =>
  Object.assign(new Error("The body of the request took too long to arrive"), {
    code: "FST_ERR_BODY_TIMEOUT",
    statusCode: 408,
  });

/**
 * Creates Node's HTTP server with time limits, and with a stop that no client can delay. Fastify would create one
 * server for each address of `localhost`, and its close would wait only for the first of them. Here one server has the
 * connections of all addresses, so the limits and the stop apply to all connections.
 */
export function serverWithTimeouts(host: string, limits: Timeouts = defaultTimeouts, lookup: Lookup = dnsLookup) {
  const server = createServer({
    headersTimeout: limits.head * 1000,
    // This limit is for a request whose body no handler reads. If a handler reads the body, the limit in `watch`
    // applies, which is shorter and sends an answer.
    requestTimeout: (limits.head + 2 * limits.body) * 1000,
    keepAliveTimeout: limits.idle * 1000,
    connectionsCheckingInterval: limits.check * 1000,
  });

  const connections = new Map<Socket, Connection>();
  const slowBodies = new Set<() => void>();
  let accepted = 0;
  let stopping = false;

  server.on("connection", (socket: Socket) => {
    // Node keeps the address only if it is read while the client is connected. Without this, `request.ip` would be
    // undefined for a client that disconnects before it is answered. A socket without an address has lost its client.
    if (socket.remoteAddress === undefined) return socket.destroy();
    accepted += 1;
    connections.set(socket, { unanswered: new Map(), idleSince: performance.now(), bytesBefore: socket.bytesRead });
    socket.once("close", () => connections.delete(socket));
  });
  // One function for all responses, so that a request allocates no closure.
  function onAnswered(this: ServerResponse) {
    const { socket } = this.req;
    const connection = connections.get(socket);
    connection?.unanswered.delete(this);
    if (!connection || socket.destroyed || connection.unanswered.size > 0) return;
    if (stopping) socket.destroySoon();
    connection.idleSince = performance.now();
    connection.bytesBefore = socket.bytesRead;
  }

  // All connections are checked now and then, so that a request without a body sets no timer.
  const check = () => {
    const now = performance.now();
    for (const [socket, { unanswered, idleSince }] of connections) {
      // A map keeps its order, so the first answer is the oldest.
      const [begun] = unanswered.values();
      // Node restarts its own timers with every byte. Without this limit, a client that sends empty lines between two
      // requests would stay connected.
      const limitSeconds = begun === undefined ? limits.idle + limits.head : limits.answer;
      if (now - (begun ?? idleSince) > limitSeconds * 1000) socket.destroy();
      // Node destroys a socket whose timeout passes, and removes the timeout with the next request.
      else if (begun !== undefined && !socket.timeout) socket.setTimeout(limits.silence * 1000);
    }
  };
  server.once("listening", () => {
    const checking = setInterval(check, limits.check * 1000).unref();
    server.once("close", () => clearInterval(checking));
  });

  // Replaces Node's own method, which would close a connection whose answer is written but not yet received, or whose
  // request has arrived but is not read yet.
  server.closeIdleConnections = () => {};
  const otherListeners = host === "localhost" ? listenOnAllOf(host, server, lookup) : undefined;

  /** Disconnects clients that have not sent a whole head, and refuses requests whose body is incomplete. */
  function endUnfinishedRequests() {
    for (const [socket, { unanswered }] of connections) if (unanswered.size === 0) socket.destroy();
    for (const refuse of slowBodies) refuse();
  }

  return {
    /** Fastify calls this with its handler, which does not exist yet when the server is created. */
    serverFactory(handler: RequestListener) {
      return server.on("request", (request, response) => {
        const { socket } = request;
        const unanswered = connections.get(socket)?.unanswered;
        // Node reads the rest of what has arrived after the socket is destroyed.
        if (socket.destroyed || (unanswered && unanswered.size >= unansweredMax)) return socket.destroy();
        unanswered?.set(response, performance.now());
        if (stopping) response.setHeader("connection", "close");
        response.on("close", onAnswered);
        handler(request, response);
      });
    },

    /** Adds the hooks that enforce the limit for bodies and that stop the server. */
    watch(app: FastifyInstance) {
      app.addHook("preParsing", ({ headers }, reply, body, parse) => {
        if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return parse();
        // Destroying the stream would close the connection before the answer is sent. An error event only stops the
        // parser.
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
      app.addHook("preClose", drain);
    },
  };

  /** Accepts no more connections, answers the received requests, and ends all connections within the limits. */
  async function drain() {
    stopping = true;
    for (const { unanswered } of connections.values()) {
      for (const response of unanswered.keys()) if (!response.headersSent) response.setHeader("connection", "close");
    }
    const began = performance.now();
    await untilAllAreAccepted(began + limits.stopAccept * 1000);
    otherListeners?.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const closedAt = performance.now();
    const ended = () => {
      closeIdleConnections(closedAt);
      return connections.size === 0;
    };
    await untilTrue(ended, closedAt + limits.stopReceive * 1000);
    endUnfinishedRequests();
    await untilTrue(ended, began + limits.stopAnswer * 1000);
    for (const socket of connections.keys()) socket.destroy();
    await closed;
  }

  /**
   * The system completes connections before Node accepts them, one in each turn of the event loop. When the server stops
   * to listen, the system resets the others, and the requests that their clients have already sent are lost.
   */
  async function untilAllAreAccepted(deadline: number) {
    // The turn that runs now may have looked for connections before the stop.
    await setImmediate();
    for (let now = performance.now(); now < deadline; ) {
      const [acceptedBefore, began] = [accepted, now];
      await setImmediate();
      now = performance.now();
      if (accepted === acceptedBefore && now - began < idleTurnMilliseconds) return;
    }
  }

  function closeIdleConnections(closedAt: number) {
    const now = performance.now();
    for (const [socket, { unanswered, idleSince, bytesBefore }] of connections) {
      if (unanswered.size > 0 || socket.bytesRead !== bytesBefore) continue;
      const hasTime =
        bytesBefore === 0 ? now < idleSince + limits.stopNew * 1000 : now < closedAt + limits.stopIdle * 1000;
      if (!hasTime) socket.destroy();
    }
  }
}

/** Listens on the other addresses of `host` too, and passes their connections to `server`. */
function listenOnAllOf(host: string, server: Server, lookup: Lookup) {
  // Node's HTTP server sets the same options for its own sockets.
  const accepting = { allowHalfOpen: true, noDelay: true };
  const others: ReturnType<typeof createTcpServer>[] = [];

  server.on("listening", async () => {
    const own = server.address();
    const addresses = await lookup(host, { all: true }).catch(() => []);
    for (const { address } of addresses) {
      if (!server.listening || !own || typeof own === "string" || own.address === address) continue;
      const other = createTcpServer(accepting, (socket) => server.emit("connection", socket));
      // The server goes on without this address, because one is enough: IPv6 may be off, or another program may use
      // this port.
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

/** Waits until the deadline at most. The event loop reads what has arrived before each look at the condition. */
async function untilTrue(condition: () => boolean, deadline: number) {
  while (!condition() && performance.now() < deadline) {
    await pause(10);
    await setImmediate();
  }
}
