import type { ClientBase, Pool, PoolClient } from "pg";
import { isUnanswered } from "./errors.ts";
import { retryBeginning, retryRepeatable } from "./reconnect.ts";

export interface TransactionOptions {
  begin?: "begin" | "begin read only";
  /**
   * Applies the settings of the transaction. If the connection breaks meanwhile, `begin` and this function are
   * repeated.
   */
  prepare?: (db: ClientBase) => Promise<unknown>;
  /** Whether `work` may be committed twice, as a read may. If so, `work` is repeated when the connection breaks. */
  repeatable?: boolean;
}

/**
 * Runs `work` between `begin` and `commit`, and rolls back if it fails. If PostgreSQL is restarting, waits for it
 * before `begin`.
 */
export function inTransaction<T>(
  pool: Pool,
  work: (db: ClientBase) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const transact = async () => commit(await retryBeginning(pool, () => begin(pool, options)), work);
  return options.repeatable ? retryRepeatable(pool, transact) : transact();
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

async function begin(pool: Pool, { begin = "begin", prepare }: TransactionOptions): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    await prepare?.(client);
    return client;
  } catch (error) {
    await rollBackAndRelease(client, error);
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
    await rollBackAndRelease(client, error);
    throw error;
  }
  client.release();
  return result;
}

/** A connection that cannot roll back is discarded instead of returned to the pool. */
async function rollBackAndRelease(client: PoolClient, error: unknown): Promise<void> {
  // PostgreSQL did not answer the statement, so a rollback would time out as well.
  if (isUnanswered(error)) return client.release(error as Error);
  const broken = await client.query("rollback").then(
    () => undefined,
    (error: Error) => error,
  );
  client.release(broken);
}
