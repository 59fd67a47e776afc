import type { ClientBase, Pool, PoolConfig } from "pg";
import { findOwnCallerLogin, sharedCallerLogin } from "#backend/database/caller-login";
import { Client } from "#backend/database/client";
import { type Connections, connectionsMax } from "#backend/database/connections";
import { type Drift, findDrift, type MigrationState } from "#backend/database/migrations";
import { isLoopbackHost } from "#backend/http/ip-address";
import { readProductMigrations } from "#server/database";
import { findClockJump } from "#server/jobs/daily-removal";
import { broken, type Candidate, countOf, type Finding, findingsOf, listOf, look, ok, problemsOr } from "./finding.ts";

/**
 * What a start does not refuse: an unsafe PostgreSQL, an open connection, rights that were changed, migrations. The
 * database of DATABASE_URL is one that its owner sets up (`isOwn`).
 */
export async function checkDatabase(
  owner: Pool,
  state: MigrationState,
  { isOwn }: { isOwn: boolean },
): Promise<Finding[]> {
  const db = await owner.connect();
  try {
    await db.query("begin read only");
    return describeDatabase(
      await readFacts(db),
      { ...findDrift(state, readProductMigrations()), isHosted: state.isHosted },
      isOwn ? owner.options : undefined,
    );
  } finally {
    await db.query("rollback").catch(() => {});
    db.release(true);
  }
}

/**
 * Opens, at once, the connections that a server may have beside those of a running server and of the doctor. Limits of a
 * login, a database or a pooler in between show themselves in no other way.
 */
export async function checkConnections({ owner, caller }: Pick<Connections, "owner" | "caller">): Promise<Finding[]> {
  const { rows } = await owner.query<{ ours: number }>(
    `select count(*)::int as ours from pg_stat_activity
     where backend_type = 'client backend' and datname = current_database() and usename in ($1, current_user)`,
    [caller.options.user],
  );
  const ours = rows[0]?.ours ?? 0;
  const wanted = Object.values(connectionsMax).reduce((sum, max) => sum + max);
  const clients = Array.from({ length: Math.max(0, wanted - ours) }, (_, index) => {
    const { options } = index < connectionsMax.caller ? caller : owner;
    return new Client({ ...options, password: options.password, query_timeout: 3000 });
  });
  // A pooler in session mode lets a client in that waits with its first statement.
  const opening = await Promise.allSettled(
    clients.map((client) => client.connect().then(() => client.query("select"))),
  );
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
  const most = ours + opening.filter(({ status }) => status === "fulfilled").length;
  return [
    most >= wanted
      ? ok(`The ${wanted} connections that a server uses at most can be opened.`)
      : look(
          `Only ${most} connections can be opened for this site, and a server uses up to ${wanted}: at busy times requests wait for one.`,
          "Raise max_connections, the limits of the logins, or the size of the pool in between; one in transaction mode needs 4.",
        ),
  ];
}

/** What a clock that runs or ran ahead has done. */
export async function checkTimes(owner: Pool): Promise<Finding[]> {
  const jump = await findClockJump(owner);
  const { rows } = await owner.query<{ saw: string }>(
    `select 'A clock was wrong, so there are times from the future in ' || string_agg(name, ', ') || '.' as saw from (values
       ('public.contacts', (select max(greatest(submitted_at, state_changed_at)) from public.contacts)),
       ('auth.sessions', (select max(greatest(created_at, refreshed_at)) from auth.sessions)),
       ('private.jobs', (select max(created_at) from private.jobs)),
       ('private.visits', (select max(day)::timestamp at time zone 'utc' from private.visits))
     ) stored (name, newest) where newest > now() + interval '1 minute' having count(*) > 0`,
  );
  const todo = "Set the clock (timedatectl set-ntp true). Once it is right: npm run admin -- trust-clock";
  const saw = [...(jump ? [`${jump}, so nothing that has expired is removed.`] : []), ...rows.map((row) => row.saw)];
  return saw.map((sentence) => look(sentence, todo));
}

/** What PostgreSQL says about itself, the owner and the callers. */
export interface DatabaseFacts {
  version: string;
  now: Date;
  unsafe: string[];
  has_contacts: boolean;
  owner: string;
  is_superuser: boolean;
  strong_roles: string[];
  /** The site has a callers' login of its own, and every other login may enter the database too. */
  is_open_to_all: boolean;
  /** The settings, as PostgreSQL writes them. */
  synchronous: { standby_names: string; commit: string };
  /** Not those that only receive changes or a backup. */
  standbys: string[];
  /** PostgreSQL's own address, which is not that of a proxy before it; without a network null. */
  server_address: string | null;
}

async function readFacts(db: ClientBase): Promise<DatabaseFacts> {
  const callerLogin = (await findOwnCallerLogin(db)) ?? sharedCallerLogin;
  return (await db.query(factsSql, [callerLogin])).rows[0];
}

const factsSql = `
select current_setting('server_version') as version, clock_timestamp() as now,
  array(select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
        order by name) as unsafe,
  to_regclass('public.contacts') is not null as has_contacts,
  current_user::text as owner, r.rolsuper as is_superuser,
  array(select rolname::text from pg_roles
        where rolname in ('anon', 'authenticated', $1)
          and (rolsuper or rolbypassrls or rolcreaterole or pg_has_role(oid, d.datdba, 'member'))) as strong_roles,
  $1 <> '${sharedCallerLogin}' and has_database_privilege('public', d.oid, 'connect') as is_open_to_all,
  jsonb_build_object('standby_names', current_setting('synchronous_standby_names'),
    'commit', current_setting('synchronous_commit')) as synchronous,
  array(select r.application_name from pg_stat_replication r
        where (r.state is null or r.state = 'streaming' and r.replay_lsn is not null)
          and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
        order by 1) as standbys,
  host(inet_server_addr()) as server_address
from pg_database d, pg_roles r
where d.datname = current_database() and r.rolname = current_user`;

/** `connection`: the options of the one that DATABASE_URL names. */
export function describeDatabase(
  facts: DatabaseFacts,
  { isHosted, ...drift }: Drift & { isHosted: boolean },
  connection?: PoolConfig,
): Finding[] {
  const fills = isHosted ? "npx supabase db push" : "npm start";
  // In a database without migrations every other check would fail for that reason.
  if (!facts.has_contacts)
    return [
      broken(
        "The database is empty.",
        `${fills} fills it. If the site has contacts already, this is the wrong database.`,
      ),
    ];
  return findingsOf(
    describeSafety(facts),
    connection && describeEncryption(connection, facts),
    describeCluster(facts),
    ...describeRoles(facts, connection !== undefined),
    ...describeMigrations(drift, fills),
    describeClock(facts),
  );
}

function describeSafety({ version, unsafe }: DatabaseFacts): Finding {
  if (unsafe.length === 0) return ok(`PostgreSQL ${version}; a commit survives a power cut.`);
  return broken(
    `${listOf(unsafe)} ${unsafe.length === 1 ? "is" : "are"} off, so a power cut can lose contacts after their senders were told that they had arrived.`,
    `${unsafe.map((name) => `alter system set ${name} = on;`).join(" ")} select pg_reload_conf();`,
  );
}

function describeEncryption({ host = "", ssl }: PoolConfig, facts: DatabaseFacts): Finding {
  // In a cluster, a proxy on this machine leads to the primary on any.
  const isBehindProxy = isCluster(facts) && !isLoopbackHost(facts.server_address ?? "localhost");
  if (host.startsWith("/") || (isLoopbackHost(host) && !isBehindProxy)) return ok("The database is on this machine.");
  // A start warns of encryption that does not check which server answers.
  if (ssl) return ok("The connection to the database is encrypted.");
  return broken(
    `The connection to the database on ${host} is not encrypted: contacts and password hashes can be read on the way.`,
    "Write sslmode=verify-full in DATABASE_URL, and sslrootcert=FILE if it has its own CA.",
  );
}

function isCluster({ synchronous, standbys }: DatabaseFacts): boolean {
  return synchronous.standby_names !== "" || standbys.length > 0;
}

/** What an answered contact survives (docs/deploying.md#a-cluster). */
function describeCluster(facts: DatabaseFacts): Candidate {
  if (!isCluster(facts)) return undefined;
  const { synchronous, standbys, server_address } = facts;
  const wanted = synchronous.standby_names.match(/[\w-]+(?=[,)"]|$)/g) ?? [];
  const gone = wanted.filter((name) => !standbys.includes(name));
  const here = `The primary is ${server_address ?? "on this machine"}, with ${countOf(standbys.length, "standby", "standbys")}`;
  if (synchronous.standby_names === "" || synchronous.commit === "local")
    return look(
      `${here}, and a commit waits for none: contacts that were answered are lost with this machine.`,
      "Set synchronous_standby_names, with Patroni by patronictl edit-config --set synchronous_mode=quorum.",
    );
  return gone.length > 0
    ? look(
        `${here}: ${listOf(gone)} does not follow it.`,
        "patronictl -c /etc/patroni/config.yml list; journalctl -u patroni",
      )
    : ok(`${here}: ${listOf(standbys)}. A contact is answered when one has it.`);
}

function describeRoles({ owner, is_superuser, is_open_to_all, strong_roles }: DatabaseFacts, isOwn: boolean) {
  return problemsOr(ok("Owner and callers have the roles they need, and no more."), [
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
    isOwn &&
      is_superuser &&
      look(
        `The server's login ${owner} is a superuser, which it need not be.`,
        "npm run admin -- database-setup prints how to do without.",
      ),
  ]);
}

function describeMigrations({ missing, unknown, edited }: Drift, fills: string): Finding[] {
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
        `${fills} applies them: make a backup first. Those that were run in the SQL editor of a hosted project: npx supabase migration repair --status applied VERSION.`,
      ),
  ]);
}

/** Codes of authenticator apps change every 30 seconds, and tokens and limits compare times of several machines. */
const clockSecondsMax = 10;

function describeClock({ now }: DatabaseFacts): Candidate {
  const seconds = Math.round(Math.abs(Date.now() - now.getTime()) / 1000);
  return (
    seconds > clockSecondsMax &&
    broken(
      `The clocks of this machine and the database differ by ${countOf(seconds, "second")}: codes of authenticator apps fail.`,
      "Set both by NTP (timedatectl set-ntp true).",
    )
  );
}
