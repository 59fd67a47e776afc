import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { type ClientConfig, Client as PgClient } from "pg";
import { StartError } from "#server/start-error";
import { parseDatabaseUrl } from "./database-url.ts";

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
    this.#refuseToTellPassword();
    if (!(this instanceof DirectClient)) this.#prepareNothing();
  }

  /** Drops the names of statements, because pg prepares those that have one. */
  #prepareNothing() {
    this.query = ((statement: unknown, ...given: never[]) => {
      const isNamed = typeof statement === "object" && statement && "name" in statement && !("submit" in statement);
      return super.query((isNamed ? { ...statement, name: undefined } : statement) as never, ...given);
    }) as PgClient["query"];
  }

  /**
   * SCRAM proves the password without telling it. Any program of this machine could listen at the port of a PostgreSQL
   * that has ended, and any on the way could answer, unless the server's certificate is checked. pg has no setting for it.
   */
  #refuseToTellPassword() {
    const { connection, ssl } = this as unknown as {
      connection: EventEmitter & { stream: Socket };
      ssl: boolean | { rejectUnauthorized?: boolean };
    };
    if (typeof ssl === "object" ? ssl.rejectUnauthorized !== false : ssl) return;
    for (const request of ["authenticationCleartextPassword", "authenticationMD5Password"])
      connection.on(request, () => connection.stream.destroy(new Error(unsafePassword)));
  }
}

/**
 * A connection without a pooler in between, so that all its statements reach the same session of PostgreSQL. A pooler in
 * transaction mode may run the next one in a session that knows none of the names.
 */
export class DirectClient extends Client {}

/** As the end of a sentence, like the other reasons of a failed connection. */
const unsafePassword =
  "it asks for the password in a form that others could use. Let pg_hba.conf ask for scram-sha-256, and set the password anew if it was stored as MD5; or write sslmode=verify-full.";

/**
 * The client of an address of PostgreSQL, not yet connected. Throws a `StartError` that names the setting if the address
 * cannot be read.
 */
export function createClient(databaseUrl: string, setting = "DATABASE_URL"): Client {
  try {
    return new Client(parseDatabaseUrl(databaseUrl, setting));
  } catch (error) {
    if (error instanceof StartError) throw error;
    // The message of `pg` could show a part of the password.
    throw new StartError(`${setting} cannot be used: write it as postgres://user:p%40ssword@host:5432/name.`);
  }
}

/** The database of DATABASE_URL in words, without the password. */
export function describeConnection(databaseUrl: string): string {
  const { database, host, port, user } = createClient(databaseUrl);
  return `${database} on ${host}:${port}, as ${user}`;
}
