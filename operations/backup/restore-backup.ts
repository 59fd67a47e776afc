import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import { lockMigrations, type MigrateOptions } from "#backend/database/migrate";
import { type MigrationVersions, missingIn, readMigrationState, versionsOf } from "#backend/database/migrations";
import { StartError } from "#process/start-error";
import { readProductMigrations } from "#server/database";
import { hasQueue, isWorkerWaiting, lockQueue, prepareRestoredJobs } from "#server/jobs/queue";
import {
  allSchemas,
  beginCopying,
  copyIn,
  copyOut,
  type Progress,
  readTables,
  summarize,
  type Table,
} from "./copy-tables.ts";
import type { Manifest, TableSummary } from "./manifest.ts";
import type { Backup } from "./read-backup.ts";
import { withConnection, withoutTriggers } from "./restore-connection.ts";

export interface RestoreOptions {
  progress?: Progress;
  /** Whether the next server sends the mails and calls that waited. */
  sendsJobs?: boolean;
}

export interface Restored {
  /** The tables as they are in the database now, which has been compared with the file. */
  tables: TableSummary[];
  /** Tables of the file that no migration makes. They are not restored. */
  foreign: string[];
  /** How many mails and calls wait, or are held. */
  jobs: number;
}

/** Longer than the pause after which every server looks for jobs. */
const watchMilliseconds = 2500;

/**
 * The migrations of the file, and no others: its rows may not fit newer tables. Servers may share a database of
 * `DATABASE_URL` (`isShared`); the embedded one has a lock of its own.
 */
export function migrationsFor(
  { migrations, writtenBy }: Manifest,
  { isShared, progress = () => {} }: Pick<RestoreOptions, "progress"> & { isShared: boolean },
): MigrateOptions {
  if (migrations.bootstrap.length === 0) {
    throw new StartError(
      "The backup is of a hosted project, whose accounts are not in it. Its contacts alone can be restored: --contacts-only.",
    );
  }
  const unknown = missingIn(versionsOf(readProductMigrations()), migrations);
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
        throw new StartError(
          "DATABASE_URL leads to the database of a Supabase project, which has its own accounts. Contacts alone can be restored there: --contacts-only.",
        );
      }
      refuseNewer(versions, migrations);
      await refuseFilled(db);
      if (isShared) await refuseServed(db, progress);
    },
  };
}

/** Fills the database in one transaction, and compares every count and checksum before the commit. */
export async function restoreBackup(owner: Pool, backup: Backup, options: RestoreOptions = {}): Promise<Restored> {
  const { progress = () => {}, sendsJobs = false } = options;
  const { manifest } = backup;
  return withConnection(owner, async (db) => {
    await beginCopying(db, "");
    // A server that starts meanwhile waits with its migrations, and then finds all rows.
    await lockMigrations(db);
    refuseNewer((await readMigrationState(db)).versions, manifest.migrations);
    const known = await readTables(db, allSchemas);
    const { targets, foreign } = match(manifest, known);
    await db.query(`lock table ${targets.map(({ name }) => name)} in access exclusive mode`);
    await refuseFilled(db);

    await withoutTriggers(db, known, async () => {
      await db.query(`truncate ${known.map(({ name }) => name)} restart identity`);
      for (const target of targets)
        await copyIn(db, target, await backup.read(target), `Loading ${target.name}`, progress);
      await setSequences(db, known);
      for (const target of targets) await compare(db, target, progress);
    });
    const jobs = await prepareRestoredJobs(db, { holds: !sendsJobs });
    await db.query("commit");
    return { tables: targets, foreign, jobs };
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

async function compare(db: ClientBase, table: TableSummary, progress: Progress) {
  const found = await summarize(copyOut(db, table), table, `Comparing ${table.name}`, progress);
  if (found.rows === table.rows && found.checksum === table.checksum) return;
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

function refuseNewer(applied: MigrationVersions, migrations: MigrationVersions) {
  const newer = missingIn(migrations, applied);
  if (!newer) return;
  throw new StartError(
    `The database has the migration ${newer}, which the backup does not have: restore into an empty database.`,
  );
}

/** The list of connections would prove nothing, because a pooler keeps unused ones. */
async function refuseServed(db: ClientBase, progress: Progress) {
  if (!(await hasQueue(db))) return;
  await db.query("begin");
  try {
    await lockQueue(db);
    const deadline = performance.now() + watchMilliseconds;
    while (performance.now() < deadline) {
      progress("Looking for a running server", 0);
      if (await isWorkerWaiting(db)) throw new StartError("A server is running on this database: stop it first.");
      await pause(100);
    }
  } finally {
    await db.query("rollback").catch(() => {});
  }
}
