import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { advisoryLocks } from "./advisory-locks.ts";
import { ensureAuthenticatorLogin, findOwnCallerLogin, requirePassword, separatePool } from "./connections.ts";
import { type Applied, compareMigrations } from "./migration-drift.ts";
import {
  bootstrapDir,
  fileName,
  type Migration,
  type MigrationVersions,
  migrationsDir,
  readMigrations,
  serverMigrationsDir,
} from "./migration-files.ts";
import { appliedVersions, createHistoryTables, createServerHistoryTable, isHosted } from "./migration-history.ts";
import { repeatAfterDeadlock } from "./transaction.ts";

export interface MigrateOptions {
  /**
   * Whether the database of a hosted Supabase project is refused, before anything is changed in it. The server cannot
   * run on it: the project has its own accounts. The commands of an operator can.
   */
  refuseHosted?: boolean;
  /** Applies these migrations only: none at all, or those of a backup, whose rows fit no newer tables. */
  only?: MigrationVersions | "none";
  /** Throws if the database must stay as it is. Runs before anything is changed. */
  check?: (db: ClientBase) => Promise<void>;
}

/** Holds back the migrations of every server until the end of the transaction. */
export async function lockMigrations(db: ClientBase): Promise<void> {
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.migrations]);
}

/**
 * Brings the database to the state this code expects. If several servers start at once, one migrates and the others
 * wait.
 */
export async function migrate(
  owner: Pool,
  log: Pick<BaseLogger, "info">,
  { refuseHosted = false, only, check }: MigrateOptions = {},
): Promise<void> {
  if (only === "none") return;
  // Statements have no time limit here, because waiting for another server and changing a large table may take long.
  const pool = separatePool(owner, { max: 2, query_timeout: 0 });
  const lock = await pool.connect();
  const db = await pool.connect();
  try {
    // A transaction holds the lock. A pooler in transaction mode may run each statement in another session, so the lock
    // of a session would stay behind and block the next start.
    await lock.query("begin");
    await lockMigrations(lock);
    const isPlain = !(await isHosted(db));
    if (refuseHosted && !isPlain) {
      throw new StartError(
        "DATABASE_URL leads to the database of a Supabase project, which has its own accounts. Set PUBLIC_SUPABASE_URL and PUBLIC_SUPABASE_ANON_KEY instead (docs/operating.md).",
      );
    }
    if (isPlain) requirePassword(owner.options);
    await check?.(db);
    if (!isPlain && (await hasUnrecordedTables(db))) return;
    await createHistoryTables(db);
    if (isPlain) {
      const bootstrap = await readMigrations(bootstrapDir, only?.bootstrap);
      await recordMadeRoles(db, bootstrap);
      await apply(db, "bootstrap", bootstrap, log);
      await ensureAuthenticatorLogin(owner, db);
    }
    await apply(db, "schema_migrations", await readMigrations(migrationsDir, only?.schema_migrations), log);
    if (isPlain) {
      await createServerHistoryTable(db);
      await apply(db, "server_migrations", await readMigrations(serverMigrationsDir, only?.server_migrations), log);
    }
  } finally {
    // Closing the connection ends its transaction and releases the lock, also after an error.
    db.release(true);
    lock.release(true);
    await pool.end();
  }
}

/** The SQL editor of a hosted project records no migration: who runs them there does so with later ones, too. */
async function hasUnrecordedTables(db: ClientBase): Promise<boolean> {
  const { rows } = await db.query("select to_regclass('public.contacts') is not null as found");
  return rows[0].found && (await appliedVersions(db)).schema_migrations.length === 0;
}

/**
 * After database-setup the roles are there, and the owner has no right to make any. So the migration that makes them
 * counts as applied.
 */
async function recordMadeRoles(db: ClientBase, [roles]: readonly Migration[]): Promise<void> {
  if (!roles || (await findOwnCallerLogin(db)) === undefined) return;
  await db.query(
    "insert into supabase_migrations.bootstrap (version, name, statements) values ($1, $2, array[$3]) on conflict do nothing",
    [roles.version, roles.name, roles.sql],
  );
}

async function apply(
  db: ClientBase,
  historyName: keyof MigrationVersions,
  migrations: readonly Migration[],
  log: Pick<BaseLogger, "info">,
): Promise<void> {
  const history = `supabase_migrations.${historyName}`;
  const { rows: applied } = await db.query(`select version, name, statements from ${history} order by version`);
  refuseDrift(migrations, applied);

  for (const migration of migrations) {
    if (applied.some(({ version }) => version === migration.version)) continue;
    await applyOne(db, history, migration).catch((error: Error) => {
      throw new StartError(`${fileName(migration)} cannot be applied: ${error.message}`, error);
    });
    log.info(`Applied ${fileName(migration)}`);
  }
}

/**
 * Applies the migration in one transaction. A deadlock with a request to another server ends either the request or the
 * migration; the migration is then tried again.
 */
function applyOne(db: ClientBase, history: string, { version, name, sql }: Migration): Promise<void> {
  return repeatAfterDeadlock(async () => {
    try {
      await db.query("begin");
      await db.query(sql);
      const insert = `insert into ${history} (version, name, statements) values ($1, $2, array[$3])`;
      await db.query(insert, [version, name, sql]);
      await db.query("commit");
    } catch (error) {
      await db.query("rollback").catch(() => {});
      throw error;
    }
  });
}

function refuseDrift(migrations: readonly Migration[], applied: readonly Applied[]) {
  const { unknown, edited } = compareMigrations(migrations, applied);
  if (unknown[0])
    throw new StartError(
      `The database has the migration ${unknown[0]}, which is not among these files: is this code older than the database?`,
    );
  if (edited[0])
    throw new StartError(`${edited[0]} was edited after it had been applied: add a new migration instead.`);
}
