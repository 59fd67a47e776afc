import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { type ClientConfig, Client as PgClient } from "pg";
import { StartError } from "#process/start-error";
import { parseDatabaseUrl } from "./database-url.ts";
import { StandbyError } from "./errors.ts";

/**
 * A connection whose loss never ends the process: pg emits `error`, and a pool listens to its idle connections only. The
 * loss is still reported, because the running statement rejects, and so does the next one.
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
   * Without a checked certificate, any program on the way, or at the port of a PostgreSQL that has ended, could ask for the
   * password. SCRAM proves it without telling it. pg has no setting for it.
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
 * For a connection without a pooler, which in transaction mode may run a statement in a session that lacks its name.
 */
export class DirectClient extends Client {}

/** For a server, which has to write: a connection to a standby fails. pg does not know `target_session_attrs` yet. */
export class PrimaryClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: EventEmitter & { stream: Socket } };
    // PostgreSQL reports it with the login.
    connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
      if (parameterName === "in_hot_standby" && parameterValue === "on") connection.stream.destroy(new StandbyError());
    });
  }
}

/** As the end of a sentence, like the other reasons of a failed connection. */
const unsafePassword =
  "it asks for the password in a form that others could use. Let pg_hba.conf ask for scram-sha-256, and set the password anew if it was stored as MD5; or write sslmode=verify-full.";

/** Not yet connected. Throws a `StartError` that names the setting if the address cannot be read. */
export function createClient(databaseUrl: string, setting = "DATABASE_URL"): Client {
  try {
    return new Client(parseDatabaseUrl(databaseUrl, setting));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code, path } = error as NodeJS.ErrnoException;
    // A file of the parameters.
    if (path) throw new StartError(`${setting} cannot be used: ${path} cannot be read (${code}).`, error);
    // The message of `pg` could show a part of the password.
    throw new StartError(`${setting} cannot be used: write it as postgres://user:p%40ssword@host:5432/name.`);
  }
}

/** A database in words, without the password. */
export function describeConnection(connection: string | ClientConfig): string {
  const { database, host, port, user } = typeof connection === "string" ? createClient(connection) : connection;
  return `${database} on ${host}:${port}, as ${user}`;
}
