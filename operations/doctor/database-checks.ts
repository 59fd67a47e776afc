import type { ClientBase, Pool } from "pg";
import { Client } from "#backend/database/client";
import { clockJump } from "#backend/database/clock-jump";
import { connectionsMax } from "#backend/database/connections";
import { type Drift, findDrift, readMigrationState } from "#backend/database/migration-state";
import { isLoopbackHost } from "#backend/http/ip-address";
import { broken, clocksDiffer, countOf, type Finding, findingsOf, listOf, look, ok, problemsOr } from "./finding.ts";
import type { CheckedDatabase } from "./open-for-checks.ts";

/**
 * PostgreSQL itself, its roles, the connection to it, and the migrations. The database of DATABASE_URL is one that its
 * owner sets up (`isOwn`).
 */
export async function checkDatabase(database: CheckedDatabase, { isOwn }: { isOwn: boolean }) {
  const { owner, caller, isCopy } = database;
  const db = await owner.connect();
  try {
    await db.query("begin read only");
    const facts = await readFacts(db, String(caller.options.user));
    const drift = findDrift(await readMigrationState(db));
    return findingsOf(
      isCopy && look("No server is running on this data, so this is about a copy of it.", "npm start"),
      ...describeDatabase(facts, drift, { isOwn }),
      facts.has_contacts && !facts.is_hosted && (await checkLogin(caller)),
      facts.has_contacts && !facts.is_hosted && isOwn && (await checkConnections(database, facts)),
    );
  } finally {
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

/** What a clock that runs or ran ahead has done. */
export async function checkTimes(owner: Pool): Promise<Finding[]> {
  const { rows } = await owner.query<{ saw: string }>(
    `select jump || ', so nothing that has expired is removed.' as saw from (${clockJump}) jumped union all
     select 'A clock was wrong, so there are times from the future in ' || string_agg(name, ', ') || '.' from (values
       ('public.contacts', (select max(greatest(submitted_at, state_changed_at)) from public.contacts)),
       ('auth.sessions', (select max(greatest(created_at, refreshed_at, used_at)) from auth.sessions)),
       ('private.jobs', (select max(created_at) from private.jobs))
     ) stored (name, newest) where newest > now() + interval '1 minute' having count(*) > 0`,
  );
  const todo = "Set the clock (timedatectl set-ntp true). Once it is right: npm run admin -- trust-clock";
  return rows.map(({ saw }) => look(saw, todo));
}

/** Callers log in as `authenticator`, with a password that is derived from the owner's. */
async function checkLogin(caller: Pool): Promise<Finding> {
  const { user } = caller.options;
  try {
    await caller.query("select");
    return ok(`The callers' login, ${user}, works.`);
  } catch (error) {
    return broken(
      `The callers' login, ${user}, does not work: ${(error as Error).message}.`,
      "Start the site, which sets the password or says what to do. A pooler must let this login in too.",
    );
  }
}

/**
 * Opens, at once, the connections that a server may have beside those of a running server and of the doctor. Limits of a
 * login, a database or a pooler in between show themselves in no other way.
 */
async function checkConnections({ owner, caller }: CheckedDatabase, { connections_ours }: DatabaseFacts) {
  const wanted = Object.values(connectionsMax).reduce((sum, max) => sum + max);
  const clients = Array.from({ length: Math.max(0, wanted - connections_ours) }, (_, index) => {
    const { options } = index < connectionsMax.caller ? caller : owner;
    return new Client({ ...options, password: options.password, query_timeout: 3000 });
  });
  // A pooler in session mode lets a client in that waits with its first statement.
  const opening = await Promise.allSettled(
    clients.map((client) => client.connect().then(() => client.query("select"))),
  );
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
  const most = connections_ours + opening.filter(({ status }) => status === "fulfilled").length;
  if (most >= wanted) return ok(`The ${wanted} connections that a server uses at most can be opened.`);
  return look(
    `Only ${most} connections can be opened for this site, and a server uses up to ${wanted}: at busy times requests wait for one.`,
    "Raise max_connections, the limits of the logins, or the size of the pool in between; one in transaction mode needs 4.",
  );
}

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
  owns_contacts: boolean;
  missing_roles: string[];
  strong_roles: string[];
  /** The site has a callers' login of its own, and every other login may enter the database too. */
  is_open_to_all: boolean;
  connections_ours: number;
  /** The settings, as PostgreSQL writes them. */
  synchronous: { standby_names: string; commit: string };
  /** Not those that only receive changes or a backup. Without a right, PostgreSQL hides how far standbys are. */
  standbys: { name: string; bytes_behind: number | null }[];
  /** PostgreSQL's own address, which is not that of a proxy before it; without a network null. */
  server_address: string | null;
  host: string;
  /** `unchecked`: encrypted, but another server could answer in its place. */
  encryption: "local" | "none" | "unchecked" | "checked";
}

export async function readFacts(db: ClientBase, callerLogin: string): Promise<DatabaseFacts> {
  const { rows } = await db.query(factsSql, [callerLogin]);
  return { ...rows[0], ...encryptionOf(db, rows[0]) };
}

function encryptionOf(db: ClientBase, facts: DatabaseFacts): Pick<DatabaseFacts, "host" | "encryption"> {
  // pg has these fields, but its types leave them out.
  const { host, ssl, connection } = db as unknown as {
    host: string;
    ssl: { rejectUnauthorized?: boolean } | boolean | undefined;
    connection: { stream: { encrypted?: boolean } };
  };
  // In a cluster, a proxy on this machine leads to the primary on any.
  const isBehindProxy = isCluster(facts) && !isLoopbackHost(facts.server_address ?? "localhost");
  if (host.startsWith("/") || (isLoopbackHost(host) && !isBehindProxy)) return { host, encryption: "local" };
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
  current_user::text as owner, r.rolsuper as is_superuser,
  coalesce((select pg_has_role(c.relowner, 'usage') from pg_class c where c.oid = to_regclass('public.contacts')), true)
    as owns_contacts,
  array(select wanted from unnest(array['anon', 'authenticated', 'service_role', $1]) wanted
        where not exists (select from pg_roles where rolname = wanted)) as missing_roles,
  array(select rolname::text from pg_roles
        where rolname in ('anon', 'authenticated', $1)
          and (rolsuper or rolbypassrls or rolcreaterole or pg_has_role(oid, d.datdba, 'member'))) as strong_roles,
  $1 <> 'authenticator' and has_database_privilege('public', d.oid, 'connect') as is_open_to_all,
  (select count(*) from pg_stat_activity where backend_type = 'client backend' and datname = d.datname
     and usename in ($1, current_user))::int as connections_ours,
  jsonb_build_object('standby_names', current_setting('synchronous_standby_names'),
    'commit', current_setting('synchronous_commit')) as synchronous,
  array(select jsonb_build_object('name', r.application_name, 'bytes_behind',
          case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn) end)
        from pg_stat_replication r
        where (r.state is null or r.state = 'streaming' and r.replay_lsn is not null)
          and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
        order by 1) as standbys,
  host(inet_server_addr()) as server_address
from pg_database d, pg_roles r
where d.datname = current_database() and r.rolname = current_user`;

export function describeDatabase(facts: DatabaseFacts, drift: Drift, { isOwn }: { isOwn: boolean }): Finding[] {
  const [server, migrations] = [describeServer(facts), describeMigrations(drift, facts)];
  // In a database without migrations every other check would fail for that reason.
  if (!facts.has_contacts) return [...server, ...migrations];
  return [
    ...server,
    ...(isOwn ? [describeEncryption(facts)] : []),
    ...(isCluster(facts) ? describeCluster(facts) : []),
    ...describeRoles(facts, isOwn),
    ...migrations,
    clocksDiffer("database", Date.now() - facts.now.getTime()) ||
      ok("The clocks of this machine and the database agree."),
  ];
}

function describeServer(facts: DatabaseFacts): Finding[] {
  const { version, major, encoding, unsafe, is_standby, short_sequences, has_trgm, has_contacts } = facts;
  return problemsOr(ok(`PostgreSQL ${version}, UTF8; a commit survives a power cut.`), [
    (major < 15 || major > 18) &&
      broken(`PostgreSQL is version ${version}; 15 to 18 are supported.`, "Use one of these."),
    unsafe.length > 0 &&
      broken(
        `${listOf(unsafe)} ${unsafe.length === 1 ? "is" : "are"} off, so a power cut can lose contacts after their senders were told that they had arrived.`,
        `${unsafe.map((name) => `alter system set ${name} = on;`).join(" ")} select pg_reload_conf();`,
      ),
    encoding !== "UTF8" &&
      broken(
        `The database is encoded in ${encoding}, which cannot store every name.`,
        "Use a database with encoding UTF8.",
      ),
    is_standby && broken("This PostgreSQL is a standby, which takes no writes.", "Name the primary in DATABASE_URL."),
    short_sequences.length > 0 &&
      broken(
        `Almost no numbers are left in ${listOf(short_sequences)}: without one, contacts and logins are refused.`,
        `See that no row of its table has such a number, then: select setval('${short_sequences[0]}', the highest number of a row);`,
      ),
    !has_trgm &&
      has_contacts &&
      look(
        "The extension pg_trgm is missing, so the inbox searches slowly.",
        "As a superuser: create extension pg_trgm schema extensions; then start the site again.",
      ),
  ]);
}

function isCluster({ synchronous, standbys }: DatabaseFacts): boolean {
  return synchronous.standby_names !== "" || standbys.length > 0;
}

const megabytesBehindMax = 16;

/** What an answered contact survives (docs/deploying.md#a-cluster). */
function describeCluster({ synchronous, standbys, server_address }: DatabaseFacts): Finding[] {
  const wanted = synchronous.standby_names.match(/[\w-]+(?=[,)"]|$)/g) ?? [];
  const gone = wanted.filter((name) => standbys.every((standby) => standby.name !== name));
  const slow = standbys.filter(({ bytes_behind }) => (bytes_behind ?? 0) > megabytesBehindMax * 1024 * 1024);
  const isSynchronous = synchronous.standby_names !== "" && synchronous.commit !== "local";
  const here = `The primary is ${server_address ?? "on this machine"}, with ${countOf(standbys.length, "standby", "standbys")}`;
  return problemsOr(
    ok(`${here}: ${listOf(standbys.map(({ name }) => name))}. A contact is answered when one has it.`),
    [
      !isSynchronous &&
        look(
          `${here}, and a commit waits for none: contacts that were answered are lost with this machine.`,
          "Set synchronous_standby_names, with Patroni by patronictl edit-config --set synchronous_mode=quorum.",
        ),
      gone.length > 0 &&
        look(
          `${here}: ${listOf(gone)} does not follow it.`,
          "patronictl -c /etc/patroni/config.yml list; journalctl -u patroni",
        ),
      slow.length > 0 &&
        look(
          `${listOf(slow.map(({ name }) => name))} ${slow.length === 1 ? "is" : "are"} more than ${megabytesBehindMax} MB behind the primary.`,
          "See the network and the disk of that machine.",
        ),
      standbys.some(({ bytes_behind }) => bytes_behind === null) &&
        look(
          "PostgreSQL does not tell this login how far the standbys are behind.",
          "As a superuser: grant pg_read_all_stats to the login of DATABASE_URL.",
        ),
    ],
  );
}

function describeEncryption({ host, encryption }: DatabaseFacts): Finding {
  const todo = "Write sslmode=verify-full in DATABASE_URL, and sslrootcert=FILE if it has its own CA.";
  return {
    local: ok("The database is on this machine."),
    none: broken(
      `The connection to the database on ${host} is not encrypted: contacts and password hashes can be read on the way.`,
      todo,
    ),
    unchecked: look("The connection to the database is encrypted, and nothing checks which server answers.", todo),
    checked: ok("The connection to the database is encrypted, and checks which server answers."),
  }[encryption];
}

function describeRoles(facts: DatabaseFacts, isOwn: boolean): Finding[] {
  const { owner, is_superuser, is_open_to_all, owns_contacts, missing_roles, strong_roles } = facts;
  return problemsOr(ok("Owner and callers have the roles they need, and no more."), [
    missing_roles.length > 0 && broken(`Missing roles: ${listOf(missing_roles)}.`, "npm run admin -- database-setup"),
    strong_roles.length > 0 &&
      broken(
        `${listOf(strong_roles)} may do more than a caller needs (superuser, bypassrls, createrole, or the owner's role).`,
        `alter role ${strong_roles[0]} nosuperuser nobypassrls nocreaterole; and revoke the owner's role from it.`,
      ),
    is_open_to_all &&
      broken(
        "Every login of this PostgreSQL may enter the database, and that of another site can act as any user.",
        "Run npm run admin -- database-setup again.",
      ),
    !owns_contacts &&
      broken(
        `The user ${owner} of DATABASE_URL does not own the tables.`,
        `alter table public.contacts owner to ${owner}; or use their owner.`,
      ),
    isOwn &&
      is_superuser &&
      look(
        `The server's login ${owner} is a superuser, which it need not be.`,
        "npm run admin -- database-setup prints how to do without.",
      ),
  ]);
}

function describeMigrations(
  { missing, unknown, edited }: Drift,
  { has_contacts, is_hosted }: DatabaseFacts,
): Finding[] {
  const fills = is_hosted ? "npx supabase db push" : "npm start";
  const todo = `${fills} fills it. If the site has contacts already, this is the wrong database.`;
  if (!has_contacts) return [broken("The database is empty.", todo)];
  return problemsOr(ok("All migrations are applied and match this code."), [
    unknown.length > 0 &&
      broken(
        `The database is newer than this code: it has ${listOf(unknown, 2)}.`,
        "Run the newer version of the site, or restore a backup.",
      ),
    edited.length > 0 &&
      broken(
        `Edited after it had been applied: ${listOf(edited, 2)}.`,
        "Restore the file, and write the change into a new migration.",
      ),
    missing.length > 0 &&
      look(
        `${countOf(missing.length, "migration")} not applied yet: ${listOf(missing, 2)}.`,
        `${fills} applies them: make a backup first.${is_hosted ? " Those that were run in the SQL editor: npx supabase migration repair --status applied VERSION." : ""}`,
      ),
  ]);
}
