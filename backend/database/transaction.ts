import type { ClientBase, Pool, PoolClient, QueryResult } from "pg";
import { isUnanswered, sqlstateOf } from "./errors.ts";
import { retry } from "./reconnect.ts";

/** One SQL statement with its parameters. */
export interface Statement {
  /**
   * A `DirectClient` keeps a statement with a name planned, which saves a quarter of PostgreSQL's work for a contact. Each
   * name has one text.
   */
  name?: string;
  text: string;
  values?: unknown[];
}

/** A pool, or a connection of one, perhaps within a transaction. */
export type Database = Pick<Pool | ClientBase, "query">;

/** A statement without rows that makes the settings of a transaction, in the round trip of its beginning. */
type Settings = Statement & { values: string[] };

/**
 * Runs `work` in a transaction, and rolls back if it fails. Waits for a PostgreSQL that is restarting. If the connection
 * breaks before the settings are made, `begin` is repeated.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (db: ClientBase) => Promise<T>,
  settings?: Settings,
): Promise<T> {
  const client = await retry(pool, () => begin(pool, settings), Number.POSITIVE_INFINITY);
  const result = await releaseIfFailed(client, "rollback", async () => {
    const done = await work(client);
    const { command } = await client.query("commit");
    // If a statement failed and `work` ignored the error, PostgreSQL answers a commit with ROLLBACK and without an error.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements had failed.");
    return done;
  });
  client.release();
  return result;
}

async function begin(pool: Pool, settings?: Settings): Promise<PoolClient> {
  const client = await pool.connect();
  await releaseIfFailed(client, "rollback", () =>
    Promise.all([client.query("begin"), settings && client.query(settings)]),
  );
  return client;
}

/**
 * Runs one statement that may be committed twice, as a read may, with these settings: as a transaction of one round trip,
 * which is repeated if the connection breaks.
 */
export async function queryInTransaction<Row extends object>(
  pool: Pool,
  settings: Settings,
  statement: Statement,
): Promise<QueryResult<Row>> {
  return retry(pool, async () => queryAndRelease<Row>(await pool.connect(), settings, statement));
}

/**
 * In the extended protocol PostgreSQL refuses a text with more than one statement, so an injected second statement could not
 * run.
 */
export function singleStatement(statement: Statement): Statement {
  return { ...statement, queryMode: "extended" } as Statement;
}

async function queryAndRelease<Row extends object>(client: PoolClient, settings: Settings, statement: Statement) {
  // After an error PostgreSQL skips the rest, and answers the commit with a rollback. The empty statement tells whether the
  // connection still works.
  const [, , result] = await releaseIfFailed(client, "", () =>
    Promise.all([
      client.query("begin"),
      client.query(settings),
      client.query<Row>(singleStatement(statement)),
      client.query("commit"),
    ]),
  );
  client.release();
  return result;
}

/** Lifts the limits that a role may have, until the end of the transaction. PostgreSQL 17 has one more than 16. */
export async function liftTimeLimits(db: Database): Promise<void> {
  await db.query(`select set_config(name, '0', true) from pg_settings where name in
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`);
}

const runsMax = 5;

/** Runs `transact` again if PostgreSQL ended its transaction to resolve a deadlock, and so stored nothing of it. */
export async function repeatAfterDeadlock<T>(transact: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await transact();
    } catch (error) {
      if (runs === runsMax || sqlstateOf(error) !== "40P01") throw error;
    }
  }
}

/**
 * If `work` fails, ends its transaction with a last statement and gives the connection back. One that cannot run this
 * statement is discarded. So is one that leads to a read-only server: after a failover a new connection finds the new
 * primary, and an old one would stay on the replica.
 */
async function releaseIfFailed<T>(client: PoolClient, last: "rollback" | "", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // PostgreSQL did not answer the statement, so the last one would time out as well.
    const broken =
      isUnanswered(error) ||
      (await client.query(last).then(
        () => isReadOnly(client, error),
        () => true,
      ));
    client.release(broken);
    throw error;
  }
}

/** Outside a transaction this is the state of the server, not that of a request that may only read. */
async function isReadOnly(client: PoolClient, error: unknown): Promise<boolean> {
  if (sqlstateOf(error) !== "25006") return false;
  const { rows } = await client.query("show transaction_read_only").catch(() => ({ rows: [] }));
  return rows[0]?.transaction_read_only !== "off";
}
