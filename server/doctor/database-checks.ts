import type { ClientBase, Pool } from "pg";
import type { Connections } from "#server/database/connections";
import { connectionsMax } from "#server/database/connections";
import { findDrift } from "#server/database/migrations";
import { isLoopbackHost } from "#server/http/ip-address";
import { broken, countOf, type Finding, listOf, look, ok } from "./finding.ts";

/** What the settings say about the database, for the advice that a finding ends with. */
export interface DatabaseKind {
  /** Whether it is the one of DATABASE_URL, which its owner sets up. */
  isOwn: boolean;
}

/** PostgreSQL itself, its roles, the connection to it, and the migrations. */
export async function checkDatabase({ owner, caller }: Connections, { isOwn }: DatabaseKind): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    const callerLogin = String(caller.options.user);
    await db.query("begin read only");
    const { rows } = await db.query<Facts>(factsSql, [callerLogin]);
    const facts = rows[0] as Facts;
    // Without any migration, everything else would be a consequence.
    if (!facts.has_contacts) return [...checkServer(facts), ...checkMigrations(await findDrift(db), facts)];
    return [
      ...checkServer(facts),
      ...(isOwn ? checkConnection(db, facts) : []),
      ...checkRoles(facts, isOwn),
      ...(facts.is_hosted ? [] : await checkLogin(caller)),
      ...checkMigrations(await findDrift(db), facts),
      ...checkClock(facts),
    ];
  } finally {
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

interface Facts {
  version: string;
  major: number;
  now: Date;
  encoding: string;
  unsafe: string[];
  is_standby: boolean;
  has_trgm: boolean;
  has_contacts: boolean;
  is_hosted: boolean;
  owner: string;
  is_superuser: boolean;
  may_create_roles: boolean;
  owns_contacts: boolean;
  missing_roles: string[];
  strong_roles: string[];
  connections_free: number;
  connections_ours: number;
}

const factsSql = `
select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
  clock_timestamp() as now, pg_encoding_to_char(d.encoding) as encoding,
  array(select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
        order by name) as unsafe,
  pg_is_in_recovery() as is_standby,
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
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections_free,
  (select count(*) from pg_stat_activity where backend_type = 'client backend' and datname = d.datname
     and usename in ($1, current_user))::int as connections_ours
from pg_database d, pg_roles r
where d.datname = current_database() and r.rolname = current_user`;

function checkServer(facts: Facts): Finding[] {
  const { version, major, encoding, unsafe, is_standby, has_trgm, has_contacts } = facts;
  const problems = [
    ...(major < 15 || major > 18
      ? [broken(`PostgreSQL is version ${version}; 15 to 18 are supported.`, "Use one of these.")]
      : []),
    ...(unsafe.length > 0
      ? [
          broken(
            `${listOf(unsafe)} ${unsafe.length === 1 ? "is" : "are"} off, so a power cut loses contacts that were answered with success.`,
            `${unsafe.map((name) => `alter system set ${name} = on;`).join(" ")} select pg_reload_conf();`,
          ),
        ]
      : []),
    ...(encoding === "UTF8"
      ? []
      : [
          broken(
            `The database is encoded in ${encoding}, which cannot store every name.`,
            "Use a database with encoding UTF8.",
          ),
        ]),
    ...(is_standby
      ? [broken("This PostgreSQL is a standby, which takes no writes.", "Name the primary in DATABASE_URL.")]
      : []),
    ...(has_trgm || !has_contacts
      ? []
      : [
          look(
            "The extension pg_trgm is missing, so the inbox searches slowly.",
            "As a superuser: create extension pg_trgm schema extensions; then start the site again.",
          ),
        ]),
  ];
  return problems.length > 0 ? problems : [ok(`PostgreSQL ${version}, UTF8; a commit survives a power cut.`)];
}

/** The connection to a database that others may run, on a machine that may be elsewhere. */
function checkConnection(db: ClientBase, { connections_free, connections_ours }: Facts): Finding[] {
  const wanted = connectionsMax.owner + connectionsMax.caller;
  // The doctor's own connections, and those of a running server, are among those that a server may have.
  const left = connections_free + connections_ours;
  return [
    checkEncryption(db),
    left >= wanted
      ? ok(`${left} connections are free for this site; a server uses up to ${wanted}.`)
      : look(
          `Only ${left} connections are left for this site, and a server uses up to ${wanted}.`,
          "Raise max_connections, or put a pooler in between.",
        ),
  ];
}

function checkEncryption(db: ClientBase): Finding {
  const { host, ssl, connection } = db as unknown as {
    host: string;
    ssl: { rejectUnauthorized?: boolean } | boolean | undefined;
    connection: { stream: { encrypted?: boolean } };
  };
  if (host.startsWith("/") || isLoopbackHost(host)) return ok("The database is on this machine.");
  if (!connection.stream.encrypted) {
    return broken(
      `The connection to the database on ${host} is not encrypted: contacts and password hashes can be read on the way.`,
      "Add ?sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE if its CA is its own.",
    );
  }
  return typeof ssl === "object" && ssl.rejectUnauthorized === false
    ? look(
        "The connection to the database is encrypted, and nothing checks which server answers.",
        "Write sslmode=verify-full in DATABASE_URL, and sslrootcert=FILE if its CA is its own.",
      )
    : ok("The connection to the database is encrypted, and checks which server answers.");
}

function checkRoles(facts: Facts, isOwn: boolean): Finding[] {
  const { owner, is_superuser, owns_contacts, missing_roles, strong_roles } = facts;
  const problems = [
    ...(missing_roles.length > 0
      ? [broken(`The role ${listOf(missing_roles)} is missing.`, "npm run admin -- database-setup")]
      : []),
    ...(strong_roles.length > 0
      ? [
          broken(
            `${listOf(strong_roles)} can do more than a caller may: superuser, bypassrls, createrole, or a member of the owner.`,
            `alter role ${strong_roles[0]} nosuperuser nobypassrls nocreaterole; and revoke the owner's role from it.`,
          ),
        ]
      : []),
    ...(owns_contacts
      ? []
      : [
          broken(
            `The user ${owner} of DATABASE_URL does not own the tables.`,
            `alter table public.contacts owner to ${owner}; or use their owner.`,
          ),
        ]),
    ...(isOwn && is_superuser
      ? [
          look(
            `The server's login ${owner} is a superuser, which it need not be.`,
            "npm run admin -- database-setup prints how to do without.",
          ),
        ]
      : []),
  ];
  return problems.length > 0 ? problems : [ok("Owner and callers have the roles they need, and no more.")];
}

/** Callers log in as `authenticator`, with a password that is derived from the owner's. */
async function checkLogin(caller: Pool): Promise<Finding[]> {
  try {
    await caller.query("select");
    return [ok(`The callers' login, ${caller.options.user}, works.`)];
  } catch (error) {
    return [
      broken(
        `The callers' login, ${caller.options.user}, does not work: ${(error as Error).message}.`,
        "Start the site, which sets the password or says what to do. A pooler must let this login in too.",
      ),
    ];
  }
}

function checkMigrations(
  { missing, unknown, edited }: Awaited<ReturnType<typeof findDrift>>,
  { has_contacts, is_hosted }: Facts,
): Finding[] {
  const fills = is_hosted ? "npx supabase db push" : "npm start";
  if (!has_contacts) {
    return [
      broken(
        "The database is empty.",
        `${fills} fills it. If the site has contacts already, this is another database than its own.`,
      ),
    ];
  }
  const problems = [
    ...(unknown.length > 0
      ? [
          broken(
            `The database is newer than this code: it has ${listOf(unknown, 2)}.`,
            "Run the newer version of the site, or restore a backup.",
          ),
        ]
      : []),
    ...(edited.length > 0
      ? [
          broken(
            `Edited after it had been applied: ${listOf(edited, 2)}.`,
            "Restore the file, and write the change into a new migration.",
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [
          look(
            `${countOf(missing.length, "migration")} not applied yet: ${listOf(missing, 2)}.`,
            `${fills} applies them: make a backup before.`,
          ),
        ]
      : []),
  ];
  return problems.length > 0 ? problems : [ok("All migrations are applied, and as they are in this code.")];
}

/** Codes of authenticator apps change every 30 seconds, and tokens and limits compare times of both machines. */
const clockSecondsMax = 10;

function checkClock({ now }: Facts): Finding[] {
  const seconds = Math.round(Math.abs(Date.now() - now.getTime()) / 1000);
  if (seconds <= clockSecondsMax) return [ok("The clocks of this machine and the database agree.")];
  return [
    broken(
      `The clocks of this machine and the database differ by ${countOf(seconds, "second")}: codes of authenticator apps fail.`,
      "Set both by NTP (timedatectl set-ntp true).",
    ),
  ];
}
