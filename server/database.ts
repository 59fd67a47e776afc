import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { type MigrateOptions, migrate as migrateWith } from "#backend/database/migrate";
import { readMigrations } from "#backend/database/migrations";
import { type OpenOptions, openDatabase as openWith } from "#backend/database/open-database";

/** The migrations of the backend and of this product. */
export function readProductMigrations() {
  const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return readMigrations({
    schema_migrations: folder("../supabase/migrations/"),
    // A hosted project has no job queue, and writes its own audit log.
    server_migrations: folder("./migrations/"),
  });
}

type Opening = Parameters<typeof openWith>;

/** Opens the database of the settings, with the tables of this product. */
export function openDatabase(settings: Opening[0], log: Opening[1], options?: OpenOptions) {
  return openWith(settings, log, readProductMigrations(), options);
}

export function migrate(owner: Pool, log: Parameters<typeof migrateWith>[1], options?: MigrateOptions) {
  return migrateWith(owner, log, readProductMigrations(), options);
}
