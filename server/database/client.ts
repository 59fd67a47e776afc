import { type ClientConfig, Client as PgClient } from "pg";
import { StartError } from "#server/start-error";

/**
 * A connection to PostgreSQL whose loss never ends the process. pg emits `error` when PostgreSQL closes a connection
 * without a running statement, and Node ends the process for an `error` without a listener. A pool listens to its idle
 * connections only, so a connection that breaks right after it was checked out would have no listener. The loss is
 * still reported: the running statement rejects, and so does the next one.
 */
export class Client extends PgClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}

/** The client of DATABASE_URL, not yet connected. Throws a `StartError` if `pg` cannot read the address. */
export function clientOf(databaseUrl: string): Client {
  try {
    return new Client(databaseUrl);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    // A certificate of `sslrootcert` and the like is read here. No message names the address, which holds the password.
    const reason = path ? `${path} cannot be read (${code})` : "write it as postgres://user:p%40ssword@host:5432/name";
    throw new StartError(`DATABASE_URL cannot be used: ${reason}.`);
  }
}

/** The database of DATABASE_URL in words, without the password. */
export function describeConnection(databaseUrl: string): string {
  const { database, host, port, user } = clientOf(databaseUrl);
  return `${database} on ${host}:${port}, as ${user}`;
}
