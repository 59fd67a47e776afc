import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Logger, runMigrations } from "graphile-worker";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { advisoryLocks } from "./advisory-locks.ts";
import { ensureAuthenticatorLogin, separatePool } from "./connections.ts";

export const bootstrapDir = fileURLToPath(new URL("./bootstrap/", import.meta.url));
export const migrationsDir = fileURLToPath(new URL("../../supabase/migrations/", import.meta.url));
/** What only our server adds on top of the product's tables, because it has a queue. */
export const serverMigrationsDir = fileURLToPath(new URL("./server-migrations/", import.meta.url));

interface Step {
  version: string;
  name: string;
  sql: string;
}

/** Brings the database to the state this code expects. Several servers may start at once: one works, the others wait. */
export async function migrate(owner: Pool, log: Pick<BaseLogger, "info">): Promise<void> {
  // Waiting for another server and changing a large table have no limit.
  const patient = separatePool(owner, { max: 2, query_timeout: 0 });
  const db = await patient.connect();
  try {
    await db.query("select pg_advisory_lock($1)", [advisoryLocks.migrations]);
    await makeLedgers(db);
    const isOurs = !(await isHosted(db));
    if (isOurs) {
      await apply(db, "supabase_migrations.bootstrap", await stepsIn(bootstrapDir), log);
      await ensureAuthenticatorLogin(owner, db);
    }
    await apply(db, "supabase_migrations.schema_migrations", await stepsIn(migrationsDir), log);
    if (isOurs) {
      await makeQueue(patient);
      await apply(db, "supabase_migrations.own", await stepsIn(serverMigrationsDir), log);
    }
  } finally {
    // The lock ends with the connection, whatever happened on it.
    db.release(true);
    await patient.end();
  }
}

/** The second table is the one that the Supabase CLI keeps, so that both know what the other has applied. */
async function makeLedgers(db: ClientBase): Promise<void> {
  await db.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.bootstrap (version text primary key, name text, statements text[]);
    create table if not exists supabase_migrations.own (version text primary key, name text, statements text[]);
    create table if not exists supabase_migrations.schema_migrations (version text primary key);
    alter table supabase_migrations.schema_migrations add column if not exists statements text[];
    alter table supabase_migrations.schema_migrations add column if not exists name text;
  `);
}

/** A hosted project brings its own accounts, which we must not touch. */
async function isHosted(db: ClientBase): Promise<boolean> {
  const { rows } = await db.query(`
    select to_regclass('auth.users') is not null
       and not exists (select from supabase_migrations.bootstrap) as hosted`);
  return rows[0].hosted;
}

/** The tables of the queue, which its library keeps up to date by itself: in a schema that no caller can name. */
async function makeQueue(pgPool: Pool): Promise<void> {
  await runMigrations({ pgPool, logger: new Logger(() => () => {}) }).catch((error: Error) => {
    throw new StartError(`The tables of the queue cannot be made: ${error.message}`, error);
  });
}

async function apply(
  db: ClientBase,
  ledger: string,
  steps: readonly Step[],
  log: Pick<BaseLogger, "info">,
): Promise<void> {
  const { rows: applied } = await db.query(`select version, name, statements from ${ledger} order by version`);
  refuseDrift(steps, applied);

  for (const step of steps) {
    if (applied.some(({ version }) => version === step.version)) continue;
    try {
      await db.query("begin");
      await db.query(step.sql);
      await db.query(`insert into ${ledger} (version, name, statements) values ($1, $2, array[$3])`, [
        step.version,
        step.name,
        step.sql,
      ]);
      await db.query("commit");
    } catch (error) {
      await db.query("rollback").catch(() => {});
      throw new StartError(`${fileName(step)} cannot be applied: ${(error as Error).message}`, error);
    }
    log.info(`Applied ${fileName(step)}`);
  }
}

function refuseDrift(
  steps: readonly Step[],
  applied: readonly { version: string; name: string; statements: string[] }[],
) {
  for (const { version, name, statements } of applied) {
    const step = steps.find((candidate) => candidate.version === version);
    if (!step)
      throw new StartError(
        `The database has the migration ${version}_${name}, which is not among these files: is this code older than the database?`,
      );
    if (statements && essence(statements.join(";")) !== essence(step.sql))
      throw new StartError(`${fileName(step)} was edited after it had been applied: add a new migration instead.`);
  }
}

/** The Supabase CLI records a file as single statements, we record it whole. */
function essence(sql: string): string {
  return sql.replace(/[\s;]+/g, "");
}

async function stepsIn(dir: string): Promise<Step[]> {
  const files = (await readdir(dir)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, version = "", name = ""] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
      return { version, name, sql: await readFile(`${dir}/${file}`, "utf8") };
    }),
  );
}

function fileName({ version, name }: Step): string {
  return `${version}_${name}.sql`;
}
