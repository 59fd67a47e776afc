import type { ClientBase, Pool } from "pg";
import { StartError } from "#process/start-error";
import { advisoryLocks } from "./advisory-locks.ts";
import { ensureAuthenticatorLogin, findOwnCallerLogin, requirePassword } from "./caller-login.ts";
import { changeInUse, type InUse } from "./change-in-use.ts";
import { separatePool } from "./connections.ts";
import {
  fileName,
  type History,
  type Migration,
  type MigrationState,
  type Migrations,
  type MigrationVersions,
  readMigrationState,
  refuseDrift,
} from "./migrations.ts";
import { liftTimeLimits } from "./transaction.ts";

export interface MigrateOptions {
  /** The server cannot run on the database of a hosted project, which has its own accounts. An operator's commands can. */
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

/** Brings the database to the state this code expects. Of several servers that start at once, one migrates. */
export async function migrate(
  owner: Pool,
  log: InUse["log"],
  migrations: Migrations,
  { refuseHosted = false, only, check }: MigrateOptions = {},
): Promise<void> {
  if (only === "none") return;
  // Waiting for another server and changing a large table may take long.
  const pool = separatePool(owner, { max: 2, query_timeout: 0 });
  const lock = await pool.connect();
  const db = await pool.connect().catch((error: unknown) => {
    // A start that waits for its database comes here again and again.
    lock.release(true);
    throw error;
  });
  try {
    // A transaction holds the lock. A pooler in transaction mode may run each statement in another session, so the lock
    // of a session would stay behind and block the next start.
    await lock.query("begin");
    await liftTimeLimits(lock);
    await lockMigrations(lock);
    const state = await readMigrationState(db);
    if (refuseHosted && state.isHosted) {
      throw new StartError(
        "DATABASE_URL leads to the database of a Supabase project, which has its own accounts. Set PUBLIC_SUPABASE_URL and PUBLIC_SUPABASE_ANON_KEY instead (docs/hosted-supabase.md).",
      );
    }
    if (!state.isHosted) requirePassword(owner.options);
    await check?.(db);
    if (state.isHosted && (await hasUnrecordedTables(db, state))) return;
    refuseDrift(state, migrations);
    const migrating = { db, log };
    await createHistoryTables(migrating, state);
    if (!state.isHosted) await recordMadeRoles(db, state, migrations.bootstrap[0]);
    for (const history of state.histories) {
      await apply(migrating, history, { migrations, state, only });
      if (history === "bootstrap") await ensureAuthenticatorLogin(owner, db);
    }
  } finally {
    // Closing the connection ends its transaction and releases the lock, also after an error.
    db.release(true);
    lock.release(true);
    await pool.end();
  }
}

/** The SQL editor of a hosted project records no migration: who runs them there does so with later ones, too. */
async function hasUnrecordedTables(db: ClientBase, { versions }: MigrationState): Promise<boolean> {
  const { rows } = await db.query("select to_regclass('private.second_factor_rule') is not null as found");
  return rows[0].found && versions.schema_migrations.length === 0;
}

/**
 * The Supabase CLI records its migrations in `schema_migrations`, too, so that each knows what the other has applied. An
 * old one made the table without some columns. A complete table stays as it is, because `alter table` would wait for the
 * end of a backup that reads it.
 */
async function createHistoryTables(migrating: InUse, { histories, applied }: MigrationState): Promise<void> {
  for (const history of histories.filter((each) => !applied[each][0]?.statements || !applied[each][0].name)) {
    await changeInUse(migrating, `supabase_migrations.${history} cannot be made`, () =>
      migrating.db.query(`
        create schema if not exists supabase_migrations;
        create table if not exists supabase_migrations.${history} (version text primary key, name text, statements text[]);
        alter table supabase_migrations.${history} add column if not exists statements text[];
        alter table supabase_migrations.${history} add column if not exists name text`),
    );
  }
}

/** After database-setup the roles are there, so the migration that makes them counts as applied. */
async function recordMadeRoles(db: ClientBase, { versions: { bootstrap } }: MigrationState, roles?: Migration) {
  if (!roles || bootstrap.includes(roles.version) || (await findOwnCallerLogin(db)) === undefined) return;
  await record(db, "bootstrap", roles);
  bootstrap.push(roles.version);
}

async function apply(
  migrating: InUse,
  history: History,
  { migrations, state, only }: { migrations: Migrations; state: MigrationState; only?: MigrationVersions },
): Promise<void> {
  const { db, log } = migrating;
  for (const migration of migrations[history]) {
    const { version } = migration;
    if (state.versions[history].includes(version) || (only && !only[history].includes(version))) continue;
    await changeInUse(migrating, `${fileName(migration)} cannot be applied`, async () => {
      // A crash loses the last migrations as a whole, and the next start applies them. The next commit that waits for the disk
      // keeps them.
      await db.query("set local synchronous_commit = off");
      await db.query(migration.sql);
      await record(db, history, migration);
    });
    log.info(`Applied ${fileName(migration)}`);
  }
}

async function record(db: ClientBase, history: History, { version, name, sql }: Migration): Promise<void> {
  await db.query(`insert into supabase_migrations.${history} (version, name, statements) values ($1, $2, array[$3])`, [
    version,
    name,
    sql,
  ]);
}
