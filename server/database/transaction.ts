import type { ClientBase, Pool, PoolClient } from "pg";
import { isUnanswered } from "./errors.ts";
import { retryBeginning, retryRepeatable } from "./reconnect.ts";

export interface TransactionOptions {
  begin?: "begin" | "begin read only";
  /** Settings that hold for this transaction. They belong to its beginning, which may fail and be made again. */
  prepare?: (db: ClientBase) => Promise<unknown>;
  /** Whether `work` may run and be committed twice, as a read may. If the connection breaks, it is then done again. */
  repeatable?: boolean;
}

/**
 * Runs `work` between `begin` and `commit`; anything it throws rolls back and is thrown on. While PostgreSQL restarts, a
 * transaction that has not begun waits for it.
 */
export function inTransaction<T>(
  pool: Pool,
  work: (db: ClientBase) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const transact = async () => commit(await retryBeginning(pool, () => begin(pool, options)), work);
  return options.repeatable ? retryRepeatable(pool, transact) : transact();
}

async function begin(pool: Pool, { begin = "begin", prepare }: TransactionOptions): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    await prepare?.(client);
    return client;
  } catch (error) {
    await giveBackUndone(client, error);
    throw error;
  }
}

async function commit<T>(client: PoolClient, work: (db: ClientBase) => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work(client);
    const { command } = await client.query("commit");
    // PostgreSQL answers a commit with a rollback, and no error, if `work` has swallowed the error of a statement.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements had failed.");
  } catch (error) {
    await giveBackUndone(client, error);
    throw error;
  }
  client.release();
  return result;
}

/** A connection that cannot even roll back is thrown away instead of going back to the pool. */
async function giveBackUndone(client: PoolClient, error: unknown): Promise<void> {
  // A rollback would wait as long again.
  if (isUnanswered(error)) return client.release(error as Error);
  const broken = await client.query("rollback").then(
    () => undefined,
    (error: Error) => error,
  );
  client.release(broken);
}
