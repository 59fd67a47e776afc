import type { ClientBase } from "pg";
import type { History, MigrationVersions } from "./migration-files.ts";

/** A row of a history. */
export interface Applied {
  version: string;
  name: string;
  statements: string[] | null;
}

/**
 * `schema_migrations` is the table in which the Supabase CLI records its migrations. The server uses it as well, so
 * that each knows what the other has applied. A hosted project has no other history.
 */
export async function createHistoryTables(db: ClientBase, { isPlain }: { isPlain: boolean }): Promise<void> {
  await db.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key);
    alter table supabase_migrations.schema_migrations add column if not exists statements text[];
    alter table supabase_migrations.schema_migrations add column if not exists name text;
  `);
  if (!isPlain) return;
  await db.query(`
    create table if not exists supabase_migrations.bootstrap (version text primary key, name text, statements text[]);
    create table if not exists supabase_migrations.server_migrations
      (version text primary key, name text, statements text[]);
  `);
}

/** The migrations that the database has applied, in order. A missing history is an empty one. */
export async function readHistories(db: Pick<ClientBase, "query">): Promise<Record<History, Applied[]>> {
  const read: Record<History, Applied[]> = { bootstrap: [], schema_migrations: [], server_migrations: [] };
  const { rows } = await db.query<{ history: History }>(
    "select relname as history from pg_class where relname = any ($1) and relnamespace = to_regnamespace('supabase_migrations')",
    [Object.keys(read)],
  );
  for (const { history } of rows) {
    // All columns, because an old Supabase CLI made the table without some.
    read[history] = (await db.query<Applied>(`select * from supabase_migrations.${history} order by version`)).rows;
  }
  return read;
}

export async function appliedVersions(db: Pick<ClientBase, "query">): Promise<MigrationVersions> {
  const { bootstrap, schema_migrations, server_migrations } = await readHistories(db);
  const versions = (applied: readonly Applied[]) => applied.map(({ version }) => version);
  return {
    bootstrap: versions(bootstrap),
    schema_migrations: versions(schema_migrations),
    server_migrations: versions(server_migrations),
  };
}

/** A hosted project has its own schema `auth`, which the server has not made and must not change. */
export async function isHosted(db: Pick<ClientBase, "query">): Promise<boolean> {
  const { rows } = await db.query(`
    select to_regclass('auth.users') is not null and to_regclass('supabase_migrations.bootstrap') is null as is_hosted`);
  return rows[0].is_hosted;
}
