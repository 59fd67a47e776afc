import type { FastifyInstance } from "fastify";
import { StartError } from "#server/start-error";

export interface Listener {
  /** Resolves when the server accepts requests; rejects with a `StartError` if the port cannot be used. */
  ready: Promise<void>;
  /** Accepts no more requests and answers those in flight. */
  close(): Promise<void>;
}

/**
 * Listens, and can be closed at any moment. On `localhost` Fastify opens a second socket after the first one. After a
 * close in between, Fastify would read the address of a closed server, and that error would end the process. So `close`
 * waits for `ready`.
 */
export function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Listener {
  const listening = app.listen({ host, port });
  const ready = listening.then(
    () => {
      // An error such as too many open files costs one connection. Without a listener it would end the server.
      app.server.on("error", (error) => app.log.error(error));
    },
    (error: NodeJS.ErrnoException) => {
      throw asStartError(error, port);
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

function asStartError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE")
    return new StartError(`Port ${port} is in use by another program. Stop it, or set PORT to another number.`);
  if (error.code === "EACCES")
    return new StartError(`Port ${port} needs more rights than this user has. Set PORT above 1023.`);
  return error;
}
