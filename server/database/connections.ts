import { createHmac } from "node:crypto";
import { type ClientBase, escapeLiteral, Pool, type PoolConfig } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { Client, createClient, DirectClient } from "./client.ts";
import { scramVerifier } from "./scram-verifier.ts";

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
 * PostgreSQL. A job needs no connection of the queue while it runs.
 */
export const connectionsMax = { owner: 5, caller: 20, queue: 2, readiness: 1, backup: 1 };

/** How long a request waits for a free connection, or for PostgreSQL to come back. */
const connectionTimeoutMillis = 5000;

/**
 * How long the server waits for the answer to a statement. A limit is needed, because PostgreSQL's machine sends
 * nothing any more once its power or its network is lost. The limit is longer than the 8 s after which PostgreSQL ends
 * a caller's statement. Together with the wait for another connection it is shorter than the 15 s after which the pages
 * give up (docs/specification.md#time-limit-of-a-call).
 */
const statementMillisecondsMax = 9000;

/**
 * After this time TCP checks (keepalive) whether an idle connection still works, so that a lost connection is replaced
 * before a request needs it.
 */
const keepAliveInitialDelayMillis = 10_000;

/**
 * The search path where others may have made functions and operators in `public`, as in a PostgreSQL that was upgraded
 * from version 14: one that fits a call better would run with the rights of this session.
 */
const catalogOnly = "pg_catalog, pg_temp";

/** Two pools on the same database, not yet connected. `migrate` sets the password of `authenticator`. */
export function connect(database: string | PoolConfig, log: Pick<BaseLogger, "warn">): Connections {
  const client = typeof database === "string" ? createClient(database) : new Client(database);
  const { host, port, user, password, database: name, ssl } = client;

  const shared = {
    ...{ host, port, database: name, ssl, connectionTimeoutMillis },
    // Between an embedded PostgreSQL and its server stands no pooler.
    Client: typeof database === "string" ? Client : DirectClient,
    ...{ query_timeout: statementMillisecondsMax, keepAlive: true, keepAliveInitialDelayMillis },
  };
  const owner = new Pool({
    ...{ ...shared, user, password, max: connectionsMax.owner },
    // database-setup makes it the owner's default as well, because a pooler in transaction mode may forget it.
    ...(typeof database === "string" && { onConnect: (db) => db.query(`set search_path = ${catalogOnly}`) }),
  });
  const caller = new Pool({
    ...shared,
    user: sharedCallerLogin,
    // Without one, as a hosted project's commands may be, callers cannot log in.
    ...(password && { password: authenticatorPassword(password) }),
    max: connectionsMax.caller,
  });
  let closing: Promise<unknown> | undefined;
  for (const pool of [owner, caller]) {
    pool.on("error", ({ message }) => {
      // A warning suffices, because the pool opens a new connection at the next request. While the pools close there is
      // no warning, because PostgreSQL may close their connections first. The error itself is not logged, because the
      // pool adds the whole connection to it.
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

/** The callers' login of a PostgreSQL on which the migrations made the roles. All its databases share this login. */
const sharedCallerLogin = "authenticator";

/** The callers' login that `npm run admin -- database-setup` makes for one site. */
export function ownCallerLogin(ownerName: string): string {
  return `${ownerName}_authenticator`;
}

/** The name of the callers' login that database-setup made for the owner of this connection, if it was run. */
export async function findOwnCallerLogin(db: Pick<Pool | ClientBase, "query">): Promise<string | undefined> {
  const wanted = ownCallerLogin("");
  const { rows } = await db.query("select rolname from pg_catalog.pg_roles where rolname = current_user || $1", [
    wanted,
  ]);
  return rows[0]?.rolname;
}

/** Of a connection that takes its password from elsewhere, as from `.pgpass`, no other password can be derived. */
export function requirePassword({ password }: { password?: unknown }): string {
  if (typeof password === "string" && password) return password;
  throw new StartError(
    "DATABASE_URL must contain the user's password: that of the login for requests is derived from it.",
  );
}

/** Lets `caller` log in as the site's own login, if database-setup made one. It must not have connected before. */
export async function chooseCallerLogin({ owner, caller }: Connections): Promise<void> {
  caller.options.user = (await findOwnCallerLogin(owner)) ?? sharedCallerLogin;
}

/**
 * The password of the callers' login. Each server derives it from the owner's password, so it is stored nowhere. The
 * owner's password cannot be computed from it.
 */
export function authenticatorPassword(ownerPassword: string): string {
  return createHmac("sha256", ownerPassword).update("authenticator").digest("base64url");
}

/**
 * Makes sure that the callers' login works with the password that `connect` derives. The server may change the password
 * of `authenticator`, which all databases of one PostgreSQL share: if the servers of two databases set it at the same
 * time, one of them fails. It may not change that of a login of database-setup.
 */
export async function ensureAuthenticatorLogin(owner: Pool, db: ClientBase): Promise<void> {
  const password = authenticatorPassword(String(owner.options.password));
  const ownLogin = await findOwnCallerLogin(db);
  if (await canLogIn({ ...owner.options, user: ownLogin ?? sharedCallerLogin, password })) return;
  if (ownLogin !== undefined) {
    throw new StartError(
      `The login ${ownLogin} refuses the password that is derived from the one in DATABASE_URL. Run \`npm run admin -- database-setup\` again; a pooler in between must know that login, too (docs/postgresql.md#a-pooler-in-between).`,
    );
  }
  const verifier = escapeLiteral(scramVerifier(sharedCallerLogin, password));
  await db.query(`alter role ${sharedCallerLogin} login password ${verifier}`);
}

async function canLogIn(options: Pool["options"]): Promise<boolean> {
  const client = new Client(options);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // PgBouncer reports every failed login as a violation of the protocol.
    const { code } = error as { code?: string };
    if (code?.startsWith("28") || code === "08P01") return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
