import type { FastifyInstance } from "fastify";
import { StartError } from "#server/start-error";

export interface Listener {
  /** Resolves when requests are answered; rejects with a `StartError` when the address cannot be had. */
  ready: Promise<void>;
  /** Answers the requests in flight and takes no more. */
  close(): Promise<void>;
}

/**
 * Listens, and can be closed at any moment. On `localhost` Fastify opens a second socket once the first one answers; a
 * close in between makes it read the address of a server that is closed, and the error ends the process.
 */
export function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Listener {
  const listening = app.listen({ host, port });
  const ready = listening.then(
    () => {
      // Such as too many open files at the next connection: that one is lost, the server is not.
      app.server.on("error", (error) => app.log.error(error));
    },
    (error: NodeJS.ErrnoException) => {
      throw inWords(error, port);
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

function inWords(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE")
    return new StartError(`Port ${port} is in use by another program. Stop it, or set PORT to another number.`);
  if (error.code === "EACCES")
    return new StartError(`Port ${port} needs more rights than this user has. Set PORT above 1023.`);
  return error;
}
