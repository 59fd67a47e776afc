import type { ClientBase, Pool, PoolClient, QueryResult } from "pg";
import { isUnanswered } from "./errors.ts";
import { queryPipelined, type Statement } from "./pipelined-query.ts";
import { retryBeginning, retryRepeatable } from "./reconnect.ts";

/** A pool, or a connection of one, perhaps within a transaction. */
export type Database = Pick<Pool | ClientBase, "query">;

type Settings = Statement & { values: string[] };

export interface TransactionOptions {
  /** A statement without rows that makes the settings of the transaction, in the round trip of `begin`. */
  settings?: Settings;
}

/**
 * Runs `work` between `begin` and `commit`, and rolls back if it fails. If PostgreSQL is restarting, waits for it
 * before `begin`. If the connection breaks before the settings are made, `begin` is repeated.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (db: ClientBase) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return commit(await retryBeginning(pool, () => begin(pool, options)), work);
}

/** As `queryOnce`, but repeated if the connection breaks: the statement must be one that may be committed twice. */
export function queryRepeatably<Row extends object>(
  pool: Pool,
  settings: Settings,
  statement: Statement,
): Promise<QueryResult<Row>> {
  return retryRepeatable(pool, async () => queryAndRelease<Row>(await pool.connect(), settings, statement));
}

/** Runs one statement with these settings, as a transaction of one round trip. */
export async function queryOnce<Row extends object>(
  pool: Pool,
  settings: Settings,
  statement: Statement,
): Promise<QueryResult<Row>> {
  return queryAndRelease<Row>(await retryBeginning(pool, () => pool.connect()), settings, statement);
}

async function queryAndRelease<Row extends object>(client: PoolClient, settings: Settings, statement: Statement) {
  try {
    const result = await queryPipelined<Row>(client, settings, statement);
    client.release();
    return result;
  } catch (error) {
    // PostgreSQL has rolled back. The empty statement tells whether the connection still works.
    await endAndRelease(client, "", error);
    throw error;
  }
}

const deadlock = "40P01";
const runsMax = 5;

/**
 * Runs `transact` again if PostgreSQL ended its transaction to resolve a deadlock. Nothing of it was stored then, so it
 * may always be repeated.
 */
export async function repeatAfterDeadlock<T>(transact: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await transact();
    } catch (error) {
      if (runs === runsMax || (error as { code?: unknown }).code !== deadlock) throw error;
    }
  }
}

async function begin(pool: Pool, { settings }: TransactionOptions): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    if (settings) await queryPipelined(client, { text: "begin" }, settings);
    else await client.query("begin");
    return client;
  } catch (error) {
    await endAndRelease(client, "rollback", error);
    throw error;
  }
}

async function commit<T>(client: PoolClient, work: (db: ClientBase) => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work(client);
    const { command } = await client.query("commit");
    // If a statement failed and `work` ignored the error, PostgreSQL answers a commit with ROLLBACK and without an
    // error.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements had failed.");
  } catch (error) {
    await endAndRelease(client, "rollback", error);
    throw error;
  }
  client.release();
  return result;
}

/**
 * A connection that cannot run this last statement is discarded instead of returned to the pool. So is one that leads to
 * a read-only server: after a failover a new connection finds the new primary, and an old one would stay on the replica.
 */
async function endAndRelease(client: PoolClient, last: "rollback" | "", error: unknown): Promise<void> {
  // PostgreSQL did not answer the statement, so the last one would time out as well.
  if (isUnanswered(error)) return client.release(error as Error);
  const broken = await client.query(last).then(
    () => (error as { code?: unknown }).code === readOnlyTransaction && isReadOnly(client),
    (error: Error) => error,
  );
  client.release(broken);
}

const readOnlyTransaction = "25006";

/** Outside a transaction this is the state of the server, not that of a request that may only read. */
async function isReadOnly(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("show transaction_read_only").catch(() => ({ rows: [] }));
  return rows[0]?.transaction_read_only !== "off";
}
