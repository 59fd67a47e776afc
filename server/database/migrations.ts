import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { advisoryLocks } from "./advisory-locks.ts";
import { ensureAuthenticatorLogin, findOwnCallerLogin, separatePool } from "./connections.ts";
import { repeatAfterDeadlock } from "./transaction.ts";

export const bootstrapDir = fileURLToPath(new URL("./bootstrap/", import.meta.url));
const migrationsDir = fileURLToPath(new URL("../../supabase/migrations/", import.meta.url));
/** Migrations that only this server applies. A hosted project has no job queue, and writes its own audit log. */
const serverMigrationsDir = fileURLToPath(new URL("./server-migrations/", import.meta.url));

interface Migration {
  version: string;
  name: string;
  sql: string;
}

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

/** The versions of the migrations in each of the three histories, which are tables of `supabase_migrations`. */
export type MigrationVersions = Record<"bootstrap" | "schema_migrations" | "server_migrations", string[]>;

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
    await check?.(db);
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

/** The versions of the migrations that this code brings. */
export async function migrationVersions(): Promise<MigrationVersions> {
  const versions = async (dir: string) => (await listMigrations(dir)).map(({ version }) => version);
  return {
    bootstrap: await versions(bootstrapDir),
    schema_migrations: await versions(migrationsDir),
    server_migrations: await versions(serverMigrationsDir),
  };
}

/**
 * `schema_migrations` is the table in which the Supabase CLI records its migrations. The server uses it as well, so
 * that each knows what the other has applied.
 */
async function createHistoryTables(db: ClientBase): Promise<void> {
  await db.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.bootstrap (version text primary key, name text, statements text[]);
    create table if not exists supabase_migrations.schema_migrations (version text primary key);
    alter table supabase_migrations.schema_migrations add column if not exists statements text[];
    alter table supabase_migrations.schema_migrations add column if not exists name text;
  `);
}

/**
 * Earlier versions of this server named the table `own`. It is renamed last: if the start fails before the renaming,
 * the earlier version can still use the database. An earlier version that is started by mistake afterwards creates an
 * empty `own`, which is dropped here.
 */
async function createServerHistoryTable(db: ClientBase): Promise<void> {
  await db.query(`
    do $$ begin
      if to_regclass('supabase_migrations.server_migrations') is null then
        alter table if exists supabase_migrations.own rename to server_migrations;
      elsif to_regclass('supabase_migrations.own') is not null then
        if not exists (select from supabase_migrations.own) then drop table supabase_migrations.own; end if;
      end if;
    end $$;
    create table if not exists supabase_migrations.server_migrations
      (version text primary key, name text, statements text[]);
  `);
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

/** The versions that the database has applied, in order. A missing history is an empty one. */
export async function appliedVersions(db: ClientBase): Promise<MigrationVersions> {
  const applied: MigrationVersions = { bootstrap: [], schema_migrations: [], server_migrations: [] };
  for (const history of Object.keys(applied) as (keyof MigrationVersions)[]) {
    const table = `supabase_migrations.${history}`;
    const { rows } = await db.query("select to_regclass($1) is not null as exists", [table]);
    if (!rows[0].exists) continue;
    const { rows: versions } = await db.query<{ version: string }>(`select version from ${table} order by version`);
    applied[history] = versions.map(({ version }) => version);
  }
  return applied;
}

/** A hosted project has its own schema `auth`, which the server has not made and must not change. */
export async function isHosted(db: Pick<ClientBase, "query">): Promise<boolean> {
  const { rows } = await db.query(`
    select to_regclass('auth.users') is not null as has_accounts,
           to_regclass('supabase_migrations.bootstrap') is not null as has_history`);
  const [{ has_accounts, has_history }] = rows;
  if (!has_accounts || !has_history) return has_accounts;
  // A command of an operator leaves an empty history in a hosted project.
  return (await db.query("select from supabase_migrations.bootstrap limit 1")).rowCount === 0;
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
  const { unknown, edited } = compare(migrations, applied);
  if (unknown[0])
    throw new StartError(
      `The database has the migration ${unknown[0]}, which is not among these files: is this code older than the database?`,
    );
  if (edited[0])
    throw new StartError(`${edited[0]} was edited after it had been applied: add a new migration instead.`);
}

/** How the database differs from the files: the names of migrations. */
export interface Drift {
  /** Not applied yet: the next start applies them. */
  missing: string[];
  /** Applied, but not among the files. */
  unknown: string[];
  /** Changed after they had been applied. */
  edited: string[];
}

interface Applied {
  version: string;
  name: string;
  statements: string[] | null;
}

function compare(migrations: readonly Migration[], applied: readonly Applied[]): Drift {
  const appliedTo = ({ version }: Migration) => applied.find((candidate) => candidate.version === version);
  return {
    missing: migrations.filter((migration) => !appliedTo(migration)).map(fileName),
    unknown: applied
      .filter(({ version }) => !migrations.some((migration) => migration.version === version))
      .map(({ version, name }) => `${version}_${name}`),
    edited: migrations
      .filter((migration) => {
        const { statements } = appliedTo(migration) ?? {};
        return statements && normalize(statements.join(";\n")) !== normalize(migration.sql);
      })
      .map(fileName),
  };
}

/** Compares the database with the files, and changes nothing. */
export async function findDrift(db: Pick<ClientBase, "query">): Promise<Drift> {
  const histories = [{ table: "schema_migrations", dir: migrationsDir }];
  if (!(await isHosted(db)))
    histories.unshift(
      { table: "bootstrap", dir: bootstrapDir },
      { table: "server_migrations", dir: serverMigrationsDir },
    );

  const drift: Drift = { missing: [], unknown: [], edited: [] };
  for (const { table, dir } of histories) {
    const history = `supabase_migrations.${table}`;
    const { rows } = await db.query("select to_regclass($1) is not null as exists", [history]);
    const applied = rows[0].exists ? (await db.query(`select version, name, statements from ${history}`)).rows : [];
    const { missing, unknown, edited } = compare(await readMigrations(dir), applied);
    drift.missing.push(...missing);
    drift.unknown.push(...unknown);
    drift.edited.push(...edited);
  }
  return drift;
}

/**
 * Matches a line comment (`--`). It also matches quoted text and block comments, because two hyphens inside them do not
 * begin a line comment.
 */
const quotedOrComment = /(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"|\/\*[\s\S]*?\*\/|--.*/g;

/**
 * Removes line comments, because they may be corrected later. Also removes white space and semicolons, because the
 * Supabase CLI records each statement separately.
 */
function normalize(sql: string): string {
  return sql.replace(quotedOrComment, (text) => (text.startsWith("--") ? "" : text)).replace(/[\s;]+/g, "");
}

async function readMigrations(dir: string, only?: readonly string[]): Promise<Migration[]> {
  const files = (await listMigrations(dir)).filter(({ version }) => !only || only.includes(version));
  return Promise.all(
    files.map(async ({ file, ...rest }) => ({ ...rest, sql: await readFile(`${dir}/${file}`, "utf8") })),
  );
}

async function listMigrations(dir: string) {
  const files = (await readdir(dir)).filter((file) => file.endsWith(".sql")).sort();
  return files.map((file) => {
    const [, version = "", name = ""] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
    return { file, version, name };
  });
}

function fileName({ version, name }: Migration): string {
  return `${version}_${name}.sql`;
}
