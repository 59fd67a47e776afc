import { createHmac } from "node:crypto";
import { type ClientBase, escapeLiteral, Pool, type PoolConfig } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { Client } from "./client.ts";

export interface Connections {
  /** For the server itself: migrations, accounts, the queue. It has all rights. */
  owner: Pool;
  /** For requests. It logs in as `authenticator`, which has no rights until `asCaller` sets a role. */
  caller: Pool;
  /** May be called twice: a failed start and a stop both close. */
  close(): Promise<void>;
}

/** How many connections each pool may hold. PostgreSQL allows 100 in all, and several servers may share one. */
const connectionsMax = { owner: 5, caller: 20 };

/** The wait of a request for a free connection, or for PostgreSQL to come back. */
const connectionTimeoutMillis = 5000;

/**
 * The time limit of a statement, for a machine that lost its power or its network and sends nothing. Longer than the 8
 * s after which PostgreSQL ends a caller's statement; together with the wait for another connection shorter than the 15
 * s after which the pages give up (docs/specification.md#time-limit-of-a-call).
 */
const statementMillisecondsMax = 9000;

/** An idle connection is probed after this time, so that a lost one is replaced before it is needed. */
const keepAliveInitialDelayMillis = 10_000;

/** Two pools on the same database, not yet connected. `migrate` sets the password of `authenticator`. */
export function connect(database: string | PoolConfig, log: Pick<BaseLogger, "warn">): Connections {
  const config = typeof database === "string" ? { connectionString: database } : database;
  const { host, port, user, password, database: name, ssl } = new Client(config);
  if (!password) throw new StartError("DATABASE_URL must contain the user's password: another one is derived from it.");

  const shared = {
    ...{ host, port, database: name, ssl, connectionTimeoutMillis, Client },
    ...{ query_timeout: statementMillisecondsMax, keepAlive: true, keepAliveInitialDelayMillis },
  };
  const owner = new Pool({ ...shared, user, password, max: connectionsMax.owner });
  const caller = new Pool({
    ...shared,
    user: "authenticator",
    password: authenticatorPassword(password),
    max: connectionsMax.caller,
  });
  let closing: Promise<unknown> | undefined;
  for (const pool of [owner, caller]) {
    pool.on("error", (error) => {
      // The pool replaces it at the next request. While the pools close, PostgreSQL may close connections first.
      if (!closing) log.warn({ err: error }, "PostgreSQL closed an idle connection.");
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
  // pg makes the password non-enumerable, so spreading the options loses it.
  const pool = new Pool({ ...owner.options, password: owner.options.password, ...options });
  pool.on("error", () => {});
  // `Client` has a listener already, but the queue's library refuses a pool without this one.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Roles belong to a whole cluster, so all its servers and databases share this password. It is derived from the
 * owner's, which each of them has, so nothing is stored; the owner's cannot be computed from it.
 */
export function authenticatorPassword(ownerPassword: string): string {
  return createHmac("sha256", ownerPassword).update("authenticator").digest("base64url");
}

/**
 * Sets the password of `authenticator` that `connect` derives, unless it works already: setting it changes the whole
 * cluster, and two databases that do so at once conflict.
 */
export async function ensureAuthenticatorLogin(owner: Pool, db: ClientBase): Promise<void> {
  const password = authenticatorPassword(String(owner.options.password));
  if (await canLogIn({ ...owner.options, user: "authenticator", password })) return;
  await db.query(`alter role authenticator login password ${escapeLiteral(password)}`);
}

async function canLogIn(options: Pool["options"]): Promise<boolean> {
  const client = new Client(options);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith("28")) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
