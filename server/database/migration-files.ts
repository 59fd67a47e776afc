import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export const bootstrapDir = fileURLToPath(new URL("./bootstrap/", import.meta.url));
export const migrationsDir = fileURLToPath(new URL("../../supabase/migrations/", import.meta.url));
/** Migrations that only this server applies. A hosted project has no job queue, and writes its own audit log. */
export const serverMigrationsDir = fileURLToPath(new URL("./server-migrations/", import.meta.url));

export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** The versions of the migrations in each of the three histories, which are tables of `supabase_migrations`. */
export type MigrationVersions = Record<"bootstrap" | "schema_migrations" | "server_migrations", string[]>;

/** The versions of the migrations that this code brings. */
export async function migrationVersions(): Promise<MigrationVersions> {
  const versions = async (dir: string) => (await listMigrations(dir)).map(({ version }) => version);
  return {
    bootstrap: await versions(bootstrapDir),
    schema_migrations: await versions(migrationsDir),
    server_migrations: await versions(serverMigrationsDir),
  };
}

export async function readMigrations(dir: string, only?: readonly string[]): Promise<Migration[]> {
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

export function fileName({ version, name }: Migration): string {
  return `${version}_${name}.sql`;
}
