import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The folder of each history, which is a table of `supabase_migrations`, in the order in which they are applied. */
const folders = {
  bootstrap: folder("./bootstrap/"),
  schema_migrations: folder("../../supabase/migrations/"),
  // A hosted project has no job queue, and writes its own audit log.
  server_migrations: folder("./server-migrations/"),
};
export type History = keyof typeof folders;
export const histories = Object.keys(folders) as History[];

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** The versions of the migrations in each history. */
export type MigrationVersions = Record<History, string[]>;

/** The versions of the migrations that this code brings. */
export async function migrationVersions(): Promise<MigrationVersions> {
  const versions = async (history: History) => (await listMigrations(history)).map(({ version }) => version);
  return {
    bootstrap: await versions("bootstrap"),
    schema_migrations: await versions("schema_migrations"),
    server_migrations: await versions("server_migrations"),
  };
}

export async function readMigrations(history: History): Promise<Migration[]> {
  const files = await listMigrations(history);
  return Promise.all(
    files.map(async ({ file, ...rest }) => ({ ...rest, sql: await readFile(folders[history] + file, "utf8") })),
  );
}

async function listMigrations(history: History) {
  const files = (await readdir(folders[history])).filter((file) => file.endsWith(".sql")).sort();
  return files.map((file) => {
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
