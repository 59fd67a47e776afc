import type { TestDatabase, TestUser } from "../support/database.ts";

/** Everything in a database that may have a row in docs/access.md. */
export interface Inventory {
  relations: Relation[];
  routines: Routine[];
  sequences: string[];
  schemas: string[];
  roles: string[];
}

/** A table or a view. */
export interface Relation {
  name: string;
  kind: string;
  columns: string[];
  /** The columns whose value PostgreSQL computes, so that a statement can set only their default. */
  generated: string[];
  keyLength: number;
  /** All rows. A caller may see all, some or none of them. */
  rows: readonly object[];
}

interface Routine {
  /** With the types of its parameters only if another function has its name. */
  name: string;
  /** Whose rights it runs with: those of its owner (security definer) or of its caller. */
  rights: string;
  parameters: string[];
  /** A statement that calls it with nulls. */
  call: string;
}

/** The schema in which `readInventory` lets callers create tables. The other schemas left out are PostgreSQL's own. */
export const probeSchema = "access_probe";
const ours = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', '${probeSchema}')`;

/** Lists the objects of a database, of all its schemas. The rows are those that the admin may see at most. */
export async function readInventory({ owner }: TestDatabase, admin: TestUser): Promise<Inventory> {
  await owner.query(`create schema ${probeSchema}`);
  await owner.query(`grant usage, create on schema ${probeSchema} to anon, authenticated, service_role`);
  const db = await owner.connect();
  await db.query("begin");
  // Without a search_path, PostgreSQL writes every name with its schema. The claims are for views that ask for an admin.
  await db.query("set local search_path = ''; set local timezone = 'UTC'");
  await db.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(admin.claims)]);

  const { rows: relations } = await db.query<Omit<Relation, "rows">>(relationsSql);
  const { rows: routines } = await db.query<Routine>(routinesSql);
  const names = async (sql: string) => (await db.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  const sequences = await names(sequencesSql);
  const schemas = await names(`select n.nspname as name from pg_namespace n where ${ours} order by 1`);
  const roles = await names("select rolname as name from pg_roles order by 1");
  const withRows: Relation[] = [];
  for (const relation of relations) {
    const { rows } = await db.query<{ rows: object[] }>(selectAll(relation.name, relation.columns));
    withRows.push({ ...relation, rows: rows[0]?.rows ?? [] });
  }
  await db.query("rollback");
  db.release();
  return { relations: withRows, routines, sequences, schemas, roles };
}

/** A statement that returns all visible rows as one JSON value, as the data API does. */
export function selectAll(table: string, columns: readonly string[]): string {
  return `select coalesce(jsonb_agg(to_jsonb(r)), '[]') as rows from (select ${columns.map(quoted)} from ${table}) r`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const relationsSql = `
  select c.oid::regclass::text as name,
    case c.relkind
      when 'v' then 'view, rights of the ' || case
        when (select o.option_value::boolean from pg_options_to_table(c.reloptions) o
              where o.option_name = 'security_invoker') then 'caller' else 'owner' end
      when 'm' then 'materialized view'
      when 'f' then 'foreign table'
      else 'table' || case when c.relrowsecurity then '' else ' without row-level security' end
    end as kind,
    array(select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attgenerated <> '') as generated,
    coalesce((select i.indnkeyatts from pg_index i where i.indrelid = c.oid and i.indisprimary), 0) as "keyLength"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ours} order by 1`;

const routinesSql = `
  select case when count(*) over (partition by n.nspname, p.proname) = 1 then format('%I.%I', n.nspname, p.proname)
      else p.oid::regprocedure::text end as name,
    case when p.prosecdef then 'owner' else 'caller' end as rights,
    coalesce(p.proargnames[:p.pronargs], '{}') as parameters,
    format('%s %s.%I(%s)', case p.prokind when 'p' then 'call' else 'select' end, n.nspname, p.proname,
      (select string_agg(format('null::%s', format_type(t.type, null)), ', ' order by t.position)
       from unnest(p.proargtypes) with ordinality as t (type, position))) as call
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${ours} and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`;

const sequencesSql = `
  select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'S' and ${ours} order by 1`;
