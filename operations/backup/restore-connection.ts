import { type ClientBase, escapeIdentifier, type Pool } from "pg";
import { withoutTimeLimit } from "#backend/database/connections";
import { explainCopyError, type Table } from "./copy-tables.ts";

/** A connection of its own, without the time limits of others. */
export function withConnection<T>(owner: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  return withoutTimeLimit(owner, async (pool) => {
    const db = await pool.connect();
    try {
      return await work(db);
    } catch (error) {
      throw explainCopyError("PostgreSQL ended the restore, and nothing of it was kept", error);
    } finally {
      // Closing the connection rolls back what was not committed.
      db.release(true);
    }
  });
}

/**
 * The triggers have done their work before the backup. Only a superuser could turn off more. One that an operator has
 * turned off stays so.
 */
export async function withoutTriggers(db: ClientBase, tables: readonly Table[], work: () => Promise<void>) {
  const { rows: triggers } = await db.query<{ on: string; name: string }>(
    `select tgrelid::regclass::text as on, tgname as name from pg_trigger
     where tgrelid = any ($1::regclass[]) and not tgisinternal and tgenabled <> 'D'`,
    [tables.map(({ name }) => name)],
  );
  // One round trip: visitors of a table in use wait for it.
  const turn = (how: "disable" | "enable") =>
    db.query(triggers.map(({ on, name }) => `alter table ${on} ${how} trigger ${escapeIdentifier(name)}`).join(";"));
  await turn("disable");
  await work();
  await turn("enable");
}
