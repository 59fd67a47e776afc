import type { ClientBase, Pool } from "pg";

/** Runs `work` between `begin` and `commit`; anything it throws rolls back and is thrown on. */
export async function inTransaction<T>(pool: Pool, work: (db: ClientBase) => Promise<T>, begin = "begin"): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away instead of going back to the pool.
    await client.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
