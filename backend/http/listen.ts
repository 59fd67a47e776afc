import { type AddressInfo, createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { StartError } from "#process/start-error";

export interface Listener {
  /** Resolves when the server accepts requests; rejects with a `StartError` if host or port cannot be used. */
  ready: Promise<void>;
  /** Accepts no more requests, and answers the requests that have already arrived. */
  close(): Promise<void>;
}

/** Starts to listen, and can be closed at any moment: Fastify would listen after a close that comes first. */
export function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Listener {
  const listening = app.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
  const ready = listening.then(
    () => {
      // If a connection cannot be accepted (too many open files, for instance), only this connection is lost. Without a
      // listener, the error would end the server.
      app.server.on("error", (error) => app.log.error(error));
      if (host === "localhost") acceptOnIpv6Loopback(app);
    },
    (error: NodeJS.ErrnoException) => {
      throw asStartError(error, { host, port });
    },
  );
  return {
    ready,
    async close() {
      await ready.catch(() => {});
      await app.close();
    },
  };
}

/** Fastify would create a second server for `::1`, and would not wait for its answers in a stop. */
function acceptOnIpv6Loopback({ server }: FastifyInstance) {
  const further = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket));
  // IPv6 may be off, or another program may use the port there: 127.0.0.1 is enough.
  further.on("error", () => {}).listen((server.address() as AddressInfo).port, "::1");
  server.once("close", () => further.close());
}

/** What the operating system says of a host that is not this machine, or of what is no host. */
const hostErrors = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EAFNOSUPPORT", "EINVAL"];

function asStartError(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  if (hostErrors.includes(error.code ?? ""))
    return new StartError(
      `HOST is ${host}, which is not an address of this machine. Set it to localhost, to one of its addresses, or to 0.0.0.0 for all.`,
    );
  if (error.code === "EADDRINUSE")
    return new StartError(
      `Port ${port} is in use by another program. Stop it, or choose another, such as PORT=${port + 1} in the file .env.`,
    );
  if (error.code === "EACCES")
    return new StartError(`Port ${port} needs more rights than this user has. Set PORT above 1023.`);
  return error;
}
