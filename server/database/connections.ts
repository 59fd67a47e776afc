import { createHmac } from "node:crypto";
import { type ClientBase, escapeLiteral, Pool, type PoolConfig } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { Client } from "./client.ts";

export interface Connections {
  /** For what belongs to the server itself: migrations, accounts, the queue. It may do anything. */
  owner: Pool;
  /** For what visitors ask. It logs in as `authenticator`, which may do nothing until `asCaller` says for whom it acts. */
  caller: Pool;
  /** A second call waits for the first: a stop may meet a start that fails because of it. */
  close(): Promise<void>;
}

/** How many connections each pool may hold. PostgreSQL allows 100 in all, and several servers may share one. */
const connectionsMax = { owner: 5, caller: 20 };

/** How long a request waits for a connection: for a free one, or for PostgreSQL to come back. */
const connectionTimeoutMillis = 5000;

/**
 * How long a statement may go unanswered: a machine that loses its power or its network says nothing. Longer than the 8 s
 * after which PostgreSQL itself ends a caller's statement; with the wait for another connection less than the 15 s after
 * which our pages give up.
 */
const statementMillisecondsMax = 9000;

/** A connection that nobody uses is probed after this long, so that a lost one is noticed before it is needed. */
const keepAliveInitialDelayMillis = 10_000;

/** Two pools on the same database; nothing connects yet. `migrate` gives the second one its login. */
export function connect(database: string | PoolConfig, log: Pick<BaseLogger, "warn">): Connections {
  const given = typeof database === "string" ? { connectionString: database } : database;
  const { host, port, user, password, database: name, ssl } = new Client(given);
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
      // An idle connection that breaks is replaced at the next request. At the end PostgreSQL may be quicker than we are.
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

/** More connections of the owner's, for what must not wait for those of `owner`, nor keep them from others. */
export function separatePool(owner: Pool, options: PoolConfig): Pool {
  // The pool hides its password from whoever copies its options.
  const pool = new Pool({ ...owner.options, password: owner.options.password, ...options });
  pool.on("error", () => {});
  // What `Client` does already; the library of the queue refuses a pool on which it does not see it.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Roles belong to a whole cluster, so all servers and all databases of it must agree on this password. Deriving it from
 * the owner's, which each of them knows, leaves nothing to store; and it does not lead back to the owner's.
 */
export function authenticatorPassword(ownerPassword: string): string {
  return createHmac("sha256", ownerPassword).update("authenticator").digest("base64url");
}

/**
 * Lets `authenticator` log in with the password that `connect` derives. It is set only when it does not work yet:
 * setting it is a change to the whole cluster, which two databases cannot make at the same moment.
 */
export async function ensureAuthenticatorLogin(owner: Pool, db: ClientBase): Promise<void> {
  const password = authenticatorPassword(String(owner.options.password));
  if (await logsIn({ ...owner.options, user: "authenticator", password })) return;
  await db.query(`alter role authenticator login password ${escapeLiteral(password)}`);
}

async function logsIn(options: Pool["options"]): Promise<boolean> {
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
