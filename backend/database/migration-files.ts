import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The folder of each history, which is a table of `supabase_migrations`, in the order in which they are applied. */
const folders = {
  bootstrap: folder("./bootstrap-migrations/"),
  schema_migrations: folder("../../supabase/migrations/"),
  // A hosted project has no job queue, and writes its own audit log.
  server_migrations: folder("./server-migrations/"),
};
export type History = keyof typeof folders;
export const histories = Object.keys(folders) as History[];

export function perHistory<Value>(of: (history: History) => Value): Record<History, Value> {
  return Object.fromEntries(histories.map((history) => [history, of(history)])) as Record<History, Value>;
}

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** The versions of the migrations in each history. */
export type MigrationVersions = Record<History, string[]>;

/** The versions of the migrations that this code brings. */
export function migrationVersions(): MigrationVersions {
  return perHistory((history) => listMigrations(history).map(({ version }) => version));
}

export function readMigrations(history: History): Migration[] {
  return listMigrations(history).map(({ file, ...rest }) => ({
    ...rest,
    sql: readFileSync(folders[history] + file, "utf8"),
  }));
}

function listMigrations(history: History) {
  const files = readdirSync(folders[history]).filter((file) => file.endsWith(".sql"));
  return files.sort().map((file) => {
    const [, version = "", name = ""] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
    return { file, version, name };
  });
}

export function fileName({ version, name }: Migration): string {
  return `${version}_${name}.sql`;
}

/** Whether the versions are those of a database from before the first release, whose tables other files have made. */
export function isFormer({ schema_migrations: [first = ""] }: MigrationVersions): boolean {
  return first !== "" && first < "20261125";
}

/** The first version of `some` that `all` lacks. */
export function missingIn(all: MigrationVersions, some: MigrationVersions): string | undefined {
  return histories.flatMap((history) => some[history].filter((version) => !all[history].includes(version)))[0];
}
