import { pipeline } from "node:stream/promises";
import { type ClientBase, escapeIdentifier, type Pool } from "pg";
import { from } from "pg-copy-streams";
import { withoutTimeLimit } from "#backend/database/connections";
import { lockMigrations, type MigrateOptions } from "#backend/database/migrate";
import { migrationVersions, missingIn, readMigrationState } from "#backend/database/migrations";
import { StartError } from "#process/start-error";
import { prepareRestoredJobs } from "#server/jobs/queue";
import {
  beginCopying,
  copyOut,
  explainCopyError,
  readTables,
  sqlColumns,
  summarize,
  type Table,
} from "./copy-tables.ts";
import type { Manifest, TableSummary } from "./manifest.ts";
import type { Backup } from "./read-backup.ts";

export interface Restored {
  /** The tables as they are in the database now, which has been compared with the file. */
  tables: TableSummary[];
  /** Tables of the file that no migration makes. They are not restored. */
  foreign: string[];
  /** How many mails and calls wait, or are held. */
  jobs: number;
}

/** The migrations of the file, and no others: its rows may not fit newer tables. */
export function migrationsFor({ migrations, writtenBy }: Manifest): MigrateOptions {
  const unknown = missingIn(migrationVersions(), migrations);
  if (unknown) {
    throw new StartError(
      `The backup has the migration ${unknown}, which this code does not have: use version ${writtenBy} or a newer one.`,
    );
  }
  return {
    only: migrations,
    async check(db) {
      const { isHosted, versions } = await readMigrationState(db);
      if (isHosted) {
        throw new StartError("DATABASE_URL leads to the database of a Supabase project, which has its own accounts.");
      }
      const newer = missingIn(migrations, versions);
      if (newer) {
        throw new StartError(
          `The database has the migration ${newer}, which the backup does not have: restore into an empty database.`,
        );
      }
      await refuseFilled(db);
    },
  };
}

/**
 * Fills the database in one transaction, and compares every count and checksum before the commit. With `sendsJobs`, the next
 * server sends the mails and calls that waited.
 */
export async function restoreBackup(owner: Pool, backup: Backup, { sendsJobs = false } = {}): Promise<Restored> {
  return withoutTimeLimit(owner, async (pool) => {
    const db = await pool.connect();
    try {
      await beginCopying(db, "");
      // A server that starts meanwhile waits with its migrations, and then finds all rows.
      await lockMigrations(db);
      const known = await readTables(db);
      const { targets, foreign } = match(backup.manifest, known);
      await db.query(`lock table ${targets.map(({ name }) => name)} in access exclusive mode`);
      await refuseFilled(db);

      const restored = await withoutTriggers(db, known, async () => {
        await db.query(`truncate ${known.map(({ name }) => name)} restart identity`);
        for (const target of targets) await load(db, backup, target);
        await setSequences(db, known);
        const tables: TableSummary[] = [];
        for (const target of targets) tables.push(await compare(db, target));
        return tables;
      });
      const jobs = await prepareRestoredJobs(db, { holds: !sendsJobs });
      await db.query("commit");
      return { tables: restored, foreign, jobs };
    } catch (error) {
      throw explainCopyError("PostgreSQL ended the restore, and nothing of it was kept", error);
    } finally {
      // Closing the connection rolls back what was not committed.
      db.release(true);
    }
  });
}

/** The tables of the file that the database has, in the order of the database. The order of columns is that of the file. */
function match({ tables }: Manifest, known: readonly Table[]): { targets: TableSummary[]; foreign: string[] } {
  const targets = known.map(({ name, columns }) => {
    const summary = tables.find((table) => table.name === name);
    const different = new Set(summary?.columns).symmetricDifference(new Set(columns));
    if (!summary || different.size > 0)
      throw new StartError(
        `Backup and database differ in ${name} (${[...different].join(", ")}): restore into a database with the same tables and columns.`,
      );
    return summary;
  });
  const foreign = tables.filter(({ name }) => !known.some((table) => table.name === name)).map(({ name }) => name);
  return { targets, foreign };
}

async function load(db: ClientBase, backup: Backup, table: TableSummary) {
  const copy = from(`copy ${table.name} (${sqlColumns(table.columns)}) from stdin`);
  await pipeline(await backup.read(table), db.query(copy));
}

/** Each sequence continues after the last row. Without a row it begins anew, because `setval` ignores null. */
async function setSequences(db: ClientBase, tables: readonly Table[]) {
  const { rows } = await db.query<{ statement: string }>(
    `select format('select setval(%L, max(%I)) from %s', pg_get_serial_sequence(t, a.attname), a.attname, t) as statement
     from unnest($1::text[]) t join pg_attribute a on a.attrelid = t::regclass and a.attnum > 0 and not a.attisdropped
     where pg_get_serial_sequence(t, a.attname) is not null`,
    [tables.map(({ name }) => name)],
  );
  for (const { statement } of rows) await db.query(statement);
}

async function compare(db: ClientBase, table: TableSummary): Promise<TableSummary> {
  const found = await summarize(copyOut(db, table), table);
  if (found.rows === table.rows && found.checksum === table.checksum) return found;
  throw new StartError(
    `${table.name} has ${found.rows} rows with checksum ${found.checksum}, and the file has ${table.rows} with ${table.checksum}: nothing was restored.`,
  );
}

async function refuseFilled(db: ClientBase) {
  for (const table of ["public.contacts", "auth.users"]) {
    const { rows } = await db.query("select to_regclass($1) is not null as exists", [table]);
    const filled = rows[0].exists && (await db.query(`select from ${table} limit 1`)).rowCount;
    if (!filled) continue;
    const what = table === "auth.users" ? "accounts" : "contacts";
    throw new StartError(`The database holds ${what} already. Restore into an empty database, or a new DATA_DIR.`);
  }
}

/**
 * The triggers have done their work before the backup. Only a superuser could turn off more. One that an operator has
 * turned off stays so.
 */
async function withoutTriggers<T>(db: ClientBase, tables: readonly Table[], work: () => Promise<T>): Promise<T> {
  const { rows: triggers } = await db.query<{ on: string; name: string }>(
    `select tgrelid::regclass::text as on, tgname as name from pg_trigger
     where tgrelid = any ($1::regclass[]) and not tgisinternal and tgenabled <> 'D'`,
    [tables.map(({ name }) => name)],
  );
  const turn = (how: "disable" | "enable") =>
    db.query(triggers.map(({ on, name }) => `alter table ${on} ${how} trigger ${escapeIdentifier(name)}`).join(";"));
  await turn("disable");
  const result = await work();
  await turn("enable");
  return result;
}
