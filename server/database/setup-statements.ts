import { escapeIdentifier, escapeLiteral } from "pg";
import { authenticatorPassword, catalogOnly, ownCallerLogin } from "./connections.ts";
import { scramVerifier } from "./scram-verifier.ts";

export interface SetupStatement {
  /** What the statement is for, for the operator who reads it. */
  about: string;
  sql: string;
  /** Whether `sql` is a query whose result is the statements to run (psql: `\gexec`). */
  yieldsStatements?: boolean;
}

interface Site {
  owner: string;
  password: string;
  database: string;
}

/** PostgreSQL cuts off longer names. */
const nameBytesMax = 63;

/**
 * The statements that prepare a PostgreSQL (15 to 18) for one site. They are for a superuser, or for a user with
 * CREATEROLE and CREATEDB, as managed services have one. They may be run again, for example after a new password of the
 * owner. They refuse to go on where a role or the database exists with other rights or another owner.
 *
 * Each site has its own callers' login, with a password derived from that of its owner. The roles without login are
 * shared by all databases of the PostgreSQL; a role has rights only in the database that grants them.
 */
export function setupStatements(site: Site): SetupStatement[] {
  const caller = ownCallerLogin(site.owner);
  refuseNames(site, caller);
  return [
    {
      about: "Only PostgreSQL's own functions run with your rights, not those that others have made in public.",
      sql: `set search_path = ${catalogOnly}`,
    },
    {
      about:
        "Refuses a login that may do more than the site needs or that others may become, and a database of another owner.",
      sql: refuseExisting({
        owner: escapeLiteral(site.owner),
        caller: escapeLiteral(caller),
        database: escapeLiteral(site.database),
      }),
    },
    ...makeRoles(site, caller),
    ...makeDatabase(site, caller),
  ];
}

function makeRoles({ owner, password }: Site, caller: string): SetupStatement[] {
  const verifier = (login: string, secret: string) => escapeLiteral(scramVerifier(login, secret));
  const unlessRole = (name: string, statement: string) =>
    unless(`select from pg_catalog.pg_roles where rolname = ${escapeLiteral(name)}`, statement);
  return [
    {
      about:
        "The login that owns the database. Its password is the one in DATABASE_URL, which this hash does not show.",
      sql: unlessRole(owner, `create role ${escapeIdentifier(owner)} login password ${verifier(owner, password)}`),
      yieldsStatements: true,
    },
    {
      about:
        "The roles of visitors and of people who are logged in. The product never uses service_role, but grants it rights.",
      sql: ["anon", "authenticated", "service_role"]
        .map((shared) => unlessRole(shared, `create role ${shared} nologin noinherit`))
        .join("\nunion all\n"),
      yieldsStatements: true,
    },
    {
      about: "The login for requests. It has no right of its own, and becomes anon or authenticated.",
      sql: unlessRole(caller, `create role ${escapeIdentifier(caller)} noinherit`),
      yieldsStatements: true,
    },
    {
      about: "Its password is derived from that of the owner.",
      sql: `alter role ${escapeIdentifier(caller)} login noinherit password ${verifier(caller, authenticatorPassword(password))}`,
    },
    {
      about:
        "Lets the login for requests become anon or authenticated, and the owner too, for the tests of npm run doctor.",
      sql: `select pg_catalog.format('grant %I to %I', granted, login)
from pg_catalog.unnest(array['anon', 'authenticated']) granted, pg_catalog.unnest(array[${escapeLiteral(caller)}, ${escapeLiteral(owner)}]) login
where not pg_catalog.pg_has_role(login, granted, 'member')`,
      yieldsStatements: true,
    },
  ];
}

function makeDatabase(site: Site, callerLogin: string): SetupStatement[] {
  const [owner, caller, database] = [site.owner, callerLogin, site.database].map((name) => escapeIdentifier(name));
  return [
    {
      about: "Without superuser rights, you can create a database only for a role you belong to.",
      sql: `select pg_catalog.format('grant %I to %I', ${escapeLiteral(site.owner)}, current_user)
where not pg_catalog.pg_has_role(${escapeLiteral(site.owner)},
  case when pg_catalog.current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)`,
      yieldsStatements: true,
    },
    {
      about: "The database.",
      sql: unless(
        `select from pg_catalog.pg_database where datname = ${escapeLiteral(site.database)}`,
        `create database ${database} owner ${owner} template template0 encoding 'UTF8'`,
      ),
      yieldsStatements: true,
    },
    {
      about:
        "Only the site's logins may enter it, also if it was there before: the login of another site could act as any user. As the owner, because PostgreSQL only warns somebody who may not grant or revoke.",
      sql: `begin;
set local role ${owner};
revoke connect, temporary on database ${database} from public;
grant connect on database ${database} to ${caller};
commit`,
    },
    {
      about: "Only they run with the owner's rights there, too: name the schema of everything else.",
      sql: `alter role ${owner} in database ${database} set search_path = ${catalogOnly}`,
    },
    ...["statement_timeout", "lock_timeout"].map((limit, index) => ({
      about: index === 0 ? "Statements of the login for requests have a time limit there." : "",
      sql: `alter role ${caller} in database ${database} set ${limit} = '8s'`,
    })),
  ];
}

/** A query that yields the statement if `found` finds nothing. */
function unless(found: string, statement: string): string {
  return `select ${escapeLiteral(statement)}\nwhere not exists (${found})`;
}

function refuseNames(site: Site, caller: string) {
  for (const [what, name] of [
    ["user name", caller],
    ["name of the database", site.database],
  ] as const) {
    if (Buffer.byteLength(name) > nameBytesMax)
      throw new RangeError(`The ${what} in DATABASE_URL is too long: ${name} has more than ${nameBytesMax} bytes.`);
    // It would end the quoted block below.
    if (name.includes(blockQuote)) throw new RangeError(`The ${what} in DATABASE_URL may not contain ${blockQuote}.`);
  }
  if (/^(anon|authenticated|service_role|authenticator)$|_authenticator$/.test(site.owner)) {
    throw new RangeError(
      `The user ${site.owner} in DATABASE_URL has a name that is kept for the logins of requests. It would own the tables, and policies do not bind an owner: name another user.`,
    );
  }
}

const blockQuote = "$setup$";

function refuseExisting({ owner, caller, database }: { owner: string; caller: string; database: string }): string {
  return `do ${blockQuote}
declare
  problem text;
begin
  with mighty as (
    select oid from pg_catalog.pg_roles
    where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
      or rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
  )
  select sentence into problem from (
    select pg_catalog.format('%s %s: name another user in DATABASE_URL, or take that right away.', login.rolname,
        case able.oid when login.oid then 'is a superuser, or has createrole, createdb, replication or bypassrls'
          else pg_catalog.concat('may become ', able.rolname) end) as sentence
    from pg_catalog.pg_roles login join pg_catalog.pg_roles able on pg_catalog.pg_has_role(login.oid, able.oid, 'member')
    where login.rolname in (${owner}, ${caller}) and able.oid in (select oid from mighty)
       or login.rolname = ${caller} and able.rolname not in (${caller}, 'anon', 'authenticated')
    order by able.oid = login.oid desc limit 1) logins
  union all
  select pg_catalog.format('%s may become %s, or let others: name another user in DATABASE_URL, or revoke that.', other.rolname, login.rolname)
  from pg_catalog.pg_auth_members join pg_catalog.pg_roles other on other.oid = member
  join pg_catalog.pg_roles login on login.oid = roleid
  where login.rolname in (${owner}, ${caller}) and not other.rolsuper and other.rolname <> current_user
  union all
  select pg_catalog.format('The role %s has other rights than the site''s: it may log in, may become another role, or has administrator rights.', rolname)
  from pg_catalog.pg_roles shared
  where rolname in ('anon', 'authenticated', 'service_role')
    and (rolcanlogin or rolsuper or rolcreaterole or rolname <> 'service_role' and oid in (select oid from mighty)
      or exists (select from pg_catalog.pg_auth_members where member = shared.oid))
  union all
  select pg_catalog.format('The database %s belongs to %s: name another one in DATABASE_URL, and move the contacts with npm run backup and npm run restore.',
    datname, pg_catalog.pg_get_userbyid(datdba))
  from pg_catalog.pg_database
  where datname = ${database} and pg_catalog.pg_get_userbyid(datdba) <> ${owner};

  if problem is not null then
    raise exception '%', problem;
  end if;
end
${blockQuote}`;
}
