import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClientBase } from "pg";
import { StartError } from "#process/start-error";

/** Each history is a table of `supabase_migrations`. In the order in which they are applied. */
export const histories = ["bootstrap", "schema_migrations", "server_migrations"] as const;
export type History = (typeof histories)[number];

function perHistory<Value>(of: (history: History) => Value): Record<History, Value> {
  return Object.fromEntries(histories.map((history) => [history, of(history)])) as Record<History, Value>;
}

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** The migrations that this code brings. */
export type Migrations = Record<History, Migration[]>;

/** The versions of the migrations in each history. */
export type MigrationVersions = Record<History, string[]>;

/** Reads the migrations of the backend, and those in the folders of what stands on it. */
export function readMigrations(folders: Record<Exclude<History, "bootstrap">, string>): Migrations {
  const bootstrap = fileURLToPath(new URL("./bootstrap-migrations/", import.meta.url));
  return perHistory((history) => readFolder({ bootstrap, ...folders }[history]));
}

function readFolder(folder: string): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return files.sort().map((file) => {
    const [, version = "", name = ""] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
    return { version, name, sql: readFileSync(join(folder, file), "utf8") };
  });
}

export function versionsOf(migrations: Record<History, readonly Pick<Migration, "version">[]>): MigrationVersions {
  return perHistory((history) => migrations[history].map(({ version }) => version));
}

export function fileName({ version, name }: Migration): string {
  return `${version}_${name}.sql`;
}

/** The first version of `some` that `all` lacks. */
export function missingIn(all: MigrationVersions, some: MigrationVersions): string | undefined {
  return histories.flatMap((history) => some[history].filter((version) => !all[history].includes(version)))[0];
}

/** What a database says about its migrations. */
export interface MigrationState {
  /** A hosted project has its own schema `auth`, which the server has not made and must not change. */
  isHosted: boolean;
  /** The histories that count here. A hosted project has one only. */
  histories: readonly History[];
  /** What is recorded as applied, in order. A missing history is an empty one. */
  applied: Record<History, Applied[]>;
  versions: MigrationVersions;
}

interface Applied {
  version: string;
  name: string;
  statements: string[] | null;
}

export async function readMigrationState(db: Pick<ClientBase, "query">): Promise<MigrationState> {
  const { rows } = await db.query<{ has_accounts: boolean; tables: History[] }>(
    `select to_regclass('auth.users') is not null as has_accounts, array(
       select relname::text from pg_class
       where relname = any ($1) and relnamespace = to_regnamespace('supabase_migrations')) as tables`,
    [histories],
  );
  const { has_accounts: hasAccounts = false, tables = [] } = rows[0] ?? {};
  const applied = perHistory((): Applied[] => []);
  for (const history of tables) {
    // All columns, because an old Supabase CLI made the table without some.
    applied[history] = (await db.query<Applied>(`select * from supabase_migrations.${history} order by version`)).rows;
  }
  const isHosted = hasAccounts && !tables.includes("bootstrap");
  return {
    isHosted,
    histories: isHosted ? ["schema_migrations"] : histories,
    applied,
    versions: versionsOf(applied),
  };
}

/** How a database differs from the files: the names of migrations. */
export interface Drift {
  /** Not applied yet: the next start applies them. */
  missing: string[];
  /** Applied, but not among the files. */
  unknown: string[];
  /** Changed after they had been applied. */
  edited: string[];
}

export function findDrift(state: MigrationState, migrations: Migrations): Drift {
  const drift: Drift = { missing: [], unknown: [], edited: [] };
  for (const history of state.histories) {
    const applied = new Map(state.applied[history].map((row) => [row.version, row]));
    for (const migration of migrations[history]) {
      const row = applied.get(migration.version);
      applied.delete(migration.version);
      if (!row) drift.missing.push(fileName(migration));
      else if (row.statements && isEdited(migration, row.statements)) drift.edited.push(fileName(migration));
    }
    drift.unknown.push(...[...applied.values()].map(({ version, name }) => `${version}_${name}`));
  }
  return drift;
}

/** Throws if the database is newer than this code, or was made by other files. */
export function refuseDrift(state: MigrationState, migrations: Migrations) {
  const { unknown, edited } = findDrift(state, migrations);
  if (unknown[0])
    throw new StartError(
      `The database has the migration ${unknown[0]}, which is not among these files: is this code older than the database?`,
    );
  if (edited[0])
    throw new StartError(`${edited[0]} was edited after it had been applied: add a new migration instead.`);
}

function isEdited({ sql }: Migration, statements: readonly string[]): boolean {
  return normalize(statements.join(";\n")) !== normalize(sql);
}

/** Two hyphens inside quoted text or a block comment begin no line comment, so this matches all three. */
const quotedOrComment = /(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"|\/\*[\s\S]*?\*\/|--.*/g;

/**
 * Without line comments, which may be corrected later, and without white space and semicolons, because the Supabase CLI
 * records each statement separately.
 */
function normalize(sql: string): string {
  return sql.replace(quotedOrComment, (text) => (text.startsWith("--") ? "" : text)).replace(/[\s;]+/g, "");
}
