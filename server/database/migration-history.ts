import type { ClientBase } from "pg";
import type { MigrationVersions } from "./migration-files.ts";

/**
 * `schema_migrations` is the table in which the Supabase CLI records its migrations. The server uses it as well, so
 * that each knows what the other has applied.
 */
export async function createHistoryTables(db: ClientBase): Promise<void> {
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
export async function createServerHistoryTable(db: ClientBase): Promise<void> {
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
