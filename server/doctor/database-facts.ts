import type { ClientBase } from "pg";
import { isLoopbackHost } from "#server/http/ip-address";

/** What PostgreSQL says about itself, the owner and the callers. */
export interface DatabaseFacts {
  version: string;
  major: number;
  now: Date;
  encoding: string;
  unsafe: string[];
  is_standby: boolean;
  /** Sequences with less than a tenth of their numbers left. */
  short_sequences: string[];
  has_trgm: boolean;
  has_contacts: boolean;
  is_hosted: boolean;
  owner: string;
  is_superuser: boolean;
  may_create_roles: boolean;
  owns_contacts: boolean;
  missing_roles: string[];
  strong_roles: string[];
  /** The site has a callers' login of its own, and every other login may enter the database too. */
  is_open_to_all: boolean;
  connections_free: number;
  connections_ours: number;
  host: string;
  /** `unchecked`: encrypted, but another server could answer in its place. */
  encryption: "local" | "none" | "unchecked" | "checked";
}

export async function readFacts(db: ClientBase, callerLogin: string): Promise<DatabaseFacts> {
  const { rows } = await db.query<Omit<DatabaseFacts, "host" | "encryption">>(factsSql, [callerLogin]);
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL does not know its own database");
  return { ...row, ...encryptionOf(db) };
}

function encryptionOf(db: ClientBase): Pick<DatabaseFacts, "host" | "encryption"> {
  // pg tells both, and its types do not.
  const { host, ssl, connection } = db as unknown as {
    host: string;
    ssl: { rejectUnauthorized?: boolean } | boolean | undefined;
    connection: { stream: { encrypted?: boolean } };
  };
  if (host.startsWith("/") || isLoopbackHost(host)) return { host, encryption: "local" };
  if (!connection.stream.encrypted) return { host, encryption: "none" };
  const isChecked = typeof ssl !== "object" || ssl.rejectUnauthorized !== false;
  return { host, encryption: isChecked ? "checked" : "unchecked" };
}

const factsSql = `
select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
  clock_timestamp() as now, pg_encoding_to_char(d.encoding) as encoding,
  array(select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
        order by name) as unsafe,
  pg_is_in_recovery() as is_standby,
  array(select format('%I.%I', schemaname, sequencename) from pg_sequences
        where last_value > 0.9 * max_value and not cycle order by 1) as short_sequences,
  exists (select from pg_extension where extname = 'pg_trgm') as has_trgm,
  to_regclass('public.contacts') is not null as has_contacts,
  to_regclass('auth.users') is not null and to_regclass('auth.signing_keys') is null as is_hosted,
  current_user::text as owner, r.rolsuper as is_superuser, r.rolcreaterole as may_create_roles,
  coalesce((select pg_has_role(c.relowner, 'usage') from pg_class c where c.oid = to_regclass('public.contacts')), true)
    as owns_contacts,
  array(select wanted from unnest(array['anon', 'authenticated', 'service_role', $1]) wanted
        where not exists (select from pg_roles where rolname = wanted)) as missing_roles,
  array(select rolname::text from pg_roles
        where rolname in ('anon', 'authenticated', $1)
          and (rolsuper or rolbypassrls or rolcreaterole or pg_has_role(oid, d.datdba, 'member'))) as strong_roles,
  $1 <> 'authenticator' and has_database_privilege('public', d.oid, 'connect') as is_open_to_all,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections_free,
  (select count(*) from pg_stat_activity where backend_type = 'client backend' and datname = d.datname
     and usename in ($1, current_user))::int as connections_ours
from pg_database d, pg_roles r
where d.datname = current_database() and r.rolname = current_user`;
