import { type ClientBase, Pool, type PoolConfig } from "pg";
import type { BaseLogger } from "pino";
import { authenticatorPassword, sharedCallerLogin } from "./caller-login.ts";
import { Client, createClient, DirectClient, PrimaryClient } from "./client.ts";

export interface Connections {
  /** The pool for the server's own work: migrations, accounts, the queue. It has all rights. */
  owner: Pool;
  /**
   * The pool for the requests of callers. It logs in as `authenticator`, or as the login that `chooseCallerLogin` finds,
   * which has no rights until `asCaller` sets a role.
   */
  caller: Pool;
  /** May be called twice, because a failed start and a stop both call it. */
  close(): Promise<void>;
}

/**
 * How many connections each pool of a server may hold. PostgreSQL allows 100 in all, and several servers may share one
 * PostgreSQL.
 */
export const connectionsMax = { owner: 7, caller: 20, readiness: 1, backup: 1 };

const limits = {
  /** How long a request waits for a free connection, or for PostgreSQL to come back. */
  connectionTimeoutMillis: 5000,
  /** Shorter, so that a request of one pool gets a connection that the other does not use, if PostgreSQL has few. */
  idleTimeoutMillis: 4000,
  /**
   * How long the server waits for the answer to a statement: a machine without power or network sends nothing. It is
   * longer than the 8 s after which PostgreSQL ends a caller's statement. With the wait for another connection it is
   * shorter than the 15 s after which the pages give up (docs/specification.md#time-limit-of-a-call).
   */
  query_timeout: 9000,
  /** TCP checks idle connections, so that a lost one is replaced before a request needs it. */
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/**
 * Leaves out `public`, where other logins may have made functions and operators (a PostgreSQL upgraded from version 14
 * lets them): one that fits a call better would run with the rights of this session.
 */
const catalogOnly = "pg_catalog, pg_temp";

/**
 * Two pools on the same database, not yet connected. `migrate` sets the password of `authenticator`. A connection to a
 * standby fails, unless it `mayBeStandby`.
 */
export function connect(
  database: string | PoolConfig,
  log: Pick<BaseLogger, "warn">,
  { mayBeStandby = false } = {},
): Connections {
  const isEmbedded = typeof database !== "string";
  const client = isEmbedded ? new Client(database) : createClient(database);
  const { host, port, user, password, database: name, ssl } = client;
  // Between an embedded PostgreSQL and its server stands no pooler.
  const shared = {
    ...limits,
    host,
    port,
    database: name,
    ssl,
    Client: isEmbedded ? DirectClient : mayBeStandby ? Client : PrimaryClient,
  };
  const owner = new Pool({
    ...{ ...shared, user, password, max: connectionsMax.owner },
    // database-setup makes it the owner's default as well, because a pooler in transaction mode may forget it.
    ...(!isEmbedded && { onConnect: (db) => db.query(`set search_path = ${catalogOnly}`) }),
  });
  const caller = new Pool({
    ...{ ...shared, user: sharedCallerLogin, max: connectionsMax.caller },
    // A request is one round trip (docs/decisions/one-round-trip.md).
    pipeline: true,
    // Commands for a hosted project may have no password; then callers cannot log in, and none has to.
    ...(password && { password: authenticatorPassword(password) }),
  });
  let closing: Promise<unknown> | undefined;
  for (const pool of [owner, caller]) {
    pool.on("error", ({ message }) => {
      // The pool opens a new connection at the next request. While the pools close, PostgreSQL may be faster. The error
      // itself is not logged, because the pool adds the whole connection to it.
      if (!closing) log.warn(`PostgreSQL closed an idle connection: ${message}`);
    });
  }
  return {
    owner,
    caller,
    async close() {
      closing ??= Promise.all([owner.end(), caller.end()]);
      await closing;
    },
  };
}

/** A further pool of the owner, for work that must neither wait for the connections of `owner` nor hold them. */
export function separatePool(owner: Pool, options: PoolConfig): Pool {
  // pg makes the password non-enumerable, so `...owner.options` does not copy it.
  const pool = new Pool({ ...owner.options, password: owner.options.password, ...options });
  pool.on("error", () => {});
  return pool;
}

/** Runs `work` with a connection of its own, whose statements may take as long as they need: those of `owner` have a limit. */
export async function withoutTimeLimit<T>(owner: Pool, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = separatePool(owner, { max: connectionsMax.backup, query_timeout: 0 });
  return work(pool).finally(() => pool.end());
}

/** The same on one connection. Its end rolls back what was not committed, and stops a running statement. */
export function onOwnConnection<T>(owner: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  return withoutTimeLimit(owner, async (pool) => {
    const db = await pool.connect();
    return work(db).finally(() => db.release(true));
  });
}
