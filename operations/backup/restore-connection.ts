import { type ClientBase, escapeIdentifier, type Pool } from "pg";
import { onOwnConnection } from "#backend/database/connections";
import { explainCopyError, type Table } from "./copy-tables.ts";

export function withConnection<T>(owner: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  return onOwnConnection(owner, work).catch((error: unknown) => {
    throw explainCopyError("PostgreSQL ended the restore, and nothing of it was kept", error);
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
