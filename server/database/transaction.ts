import type { ClientBase, Pool } from "pg";

/** Runs `work` between `begin` and `commit`; anything it throws rolls back and is thrown on. */
export async function inTransaction<T>(pool: Pool, work: (db: ClientBase) => Promise<T>, begin = "begin"): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool listens only to connections that are idle: one that breaks between two statements would end the process.
  const noticeBreak = (error: Error) => {
    broken = error;
  };
  client.on("error", noticeBreak);
  try {
    await client.query(begin);
    const result = await work(client);
    const { command } = await client.query("commit");
    // PostgreSQL answers a commit with a rollback, and no error, if `work` has swallowed the error of a statement.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements had failed.");
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away instead of going back to the pool.
    await client.query("rollback").catch(noticeBreak);
    throw error;
  } finally {
    client.off("error", noticeBreak);
    client.release(broken);
  }
}
