import type { ClientBase } from "pg";
import { readProductMigrations } from "#server/database";
import { broken, type Finding, look } from "./finding.ts";

/** Callers may use functions of `auth`; they may reach nothing else there, nor the table of roles in `public`. */
export const closedSchemas = ["auth", "private", "supabase_migrations"] as const;

/** The functions that a migration lets callers run: those with the rights of their owner check who calls. */
function grantedFunctions(): string[] {
  const grants = Object.values(readProductMigrations())
    .flat()
    .flatMap(({ sql }) => sql.match(/^grant execute on function\s[^;]+;/gm) ?? []);
  return grants.flatMap((grant) => grant.match(/\w+\.\w+\([^)]*\)/g) ?? []);
}

/** What the contact form sends. */
const formColumns = ["company", "email", "interest", "name"];

/** Rights of callers that no policy and no function needs, as the catalogue of PostgreSQL has them. */
export async function findOpenRights(db: ClientBase): Promise<Finding[]> {
  const { rows } = await db.query<{ problem: keyof typeof findings; what: string }>(rightsSql, [
    closedSchemas,
    formColumns,
    grantedFunctions(),
  ]);
  return rows.map(({ problem, what }) => findings[problem](what));
}

const findings = {
  closed: (what: string) =>
    broken(`Callers may reach ${what}.`, `revoke all on ${what.split(" (", 1)} from anon, authenticated, public;`),
  strangers: (rights: string) =>
    broken(
      `A stranger has more rights on public.contacts than the form needs: ${rights}.`,
      `revoke all on public.contacts from anon, public; grant insert (${formColumns.join(", ")}) on public.contacts to anon;`,
    ),
  truncate: (table: string) =>
    broken(
      `Callers may truncate ${table}, which no policy limits.`,
      `revoke truncate on ${table} from anon, authenticated, public;`,
    ),
  unprotected: (table: string) =>
    broken(
      `Row-level security is off for ${table}, and callers have rights on it.`,
      `alter table ${table} enable row level security;`,
    ),
  functions: (name: string) =>
    look(
      `Callers may run ${name} with the rights of its owner, past all policies.`,
      `If it does not check who calls: revoke execute on function ${name} from public, anon, authenticated;`,
    ),
};

/** The tables and views that are neither PostgreSQL's nor an extension's, as the beginning of a statement. */
const relationsSql = `
with schemas as (
  select oid, nspname, nspname = any ($1) as is_closed from pg_namespace
  where nspname !~ '^pg_' and nspname <> 'information_schema'
),
relations as (
  select c.oid, n.oid as schema, n.is_closed as is_in_closed,
    n.is_closed or c.oid = to_regclass('public.user_roles') as is_closed,
    format('%I.%I', n.nspname, c.relname) as name, c.relkind, c.relrowsecurity
  from pg_class c join schemas n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
)`;

const rightsSql = `${relationsSql},
callers (caller) as (values ('anon'), ('authenticated')),
rights as (
  select caller, r.*, array_remove(array[
    case when has_any_column_privilege(caller, r.oid, 'select') then 'select' end,
    case when has_any_column_privilege(caller, r.oid, 'insert') then 'insert' end,
    case when has_any_column_privilege(caller, r.oid, 'update') then 'update' end,
    case when has_table_privilege(caller, r.oid, 'delete') then 'delete' end,
    case when has_table_privilege(caller, r.oid, 'truncate') then 'truncate' end], null) as verbs
  from relations r cross join callers
  where r.is_closed or has_schema_privilege(caller, r.schema, 'usage')
)
select 'closed' as problem, format('%s (%s may %s)', name, caller, array_to_string(verbs, ', ')) as what
  from rights where is_closed and verbs <> '{}'
union select 'closed', format('schema %I (%s may use it)', s, caller) from unnest($1::text[]) s, callers
  where s <> 'auth' and to_regnamespace(s) is not null and has_schema_privilege(caller, s, 'usage')
union select 'strangers', string_agg(extra, ', ') from (
    select verb as extra from rights, unnest(verbs) verb
    where name = 'public.contacts' and caller = 'anon' and verb <> 'insert'
    union select format('insert (%s)', a.attname) from relations r join pg_attribute a on a.attrelid = r.oid
    where r.name = 'public.contacts' and a.attnum > 0 and not a.attisdropped and a.attname <> all ($2)
      and has_column_privilege('anon', r.oid, a.attnum, 'insert')) found having count(*) > 0
union select 'truncate', name from rights where not is_closed and 'truncate' = any (verbs)
union select 'unprotected', name from rights
  where not is_closed and relkind in ('r', 'p') and not relrowsecurity and verbs <> '{}'
union select 'functions', p.oid::regprocedure::text
  from pg_proc p join schemas n on n.oid = p.pronamespace cross join callers
  where p.prosecdef and not exists (select from unnest($3::text[]) f where to_regprocedure(f) = p.oid)
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    and has_schema_privilege(caller, n.oid, 'usage') and has_function_privilege(caller, p.oid, 'execute')
order by 1, 2`;

/** A table or view with the columns that the caller may read, as SQL. */
export interface Readable {
  name: string;
  columns: string;
}

/** The tables and views of which this caller may read a column. Run as the owner. */
export async function readableRelations(db: ClientBase, caller: string): Promise<Readable[]> {
  const { rows } = await db.query<Readable>(
    `${relationsSql}
     select name, string_agg(format('%I::text', a.attname), ', ' order by a.attnum) as columns
     from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
     where not is_in_closed and has_schema_privilege($2, schema, 'usage') and has_column_privilege($2, r.oid, a.attnum, 'select')
     group by name order by 1`,
    [closedSchemas, caller],
  );
  return rows;
}
