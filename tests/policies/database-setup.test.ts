import { Client, escapeIdentifier } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asCaller, type Claims } from "#backend/database/as-caller";
import { authenticatorPassword, findOwnCallerLogin } from "#backend/database/caller-login";
import { type Connections, connect } from "#backend/database/connections";
import { readMigrationState } from "#backend/database/migrations";
import { checkAccess } from "#operations/doctor/access-checks";
import { checkDatabase } from "#operations/doctor/database-checks";
import { migrate, openDatabase } from "#server/database";
import { service, visitor } from "../support/database.ts";
import { majors, startMajor } from "../support/postgres-major.ts";
import { admin } from "../support/run-command.ts";
import { silentLog } from "../support/silent-log.ts";
import { textOfStatement } from "../support/statement-text.ts";

/** `npm run test:long` tries everything on all versions, `npm test` the most important on the product's version. */
const isLong = process.env.POSTGRES_MAJORS === "all";

describe.each(majors)("on PostgreSQL %i,", (major) => {
  let postgres: Awaited<ReturnType<typeof startMajor>>;
  let superuser: Connections;
  let one: string;
  let two: string;
  beforeAll(async () => {
    postgres = await startMajor(major);
    superuser = connect(postgres.connection, silentLog);
    await superuser.owner.query("alter system set fsync = off");
    await superuser.owner.query("select pg_reload_conf()");
    one = urlOf("heron's", "heron");
    two = urlOf("two", "Two-Sites");
    await superuser.owner.query("create role clerk");
    for (const site of [one, two]) expect(await setUp(site)).toMatchObject({ code: 0, err: "" });
  }, 120_000);
  afterAll(async () => {
    await superuser?.close();
    await postgres?.stop();
  });

  /** The address of a site's database as its owner. Some names and passwords need quotes in SQL. */
  const urlOf = (user: string, database: string, password = `p'${user}"`) => {
    const { host, port } = postgres.connection;
    const [name, secret, socket] = [user, password, host].map(encodeURIComponent);
    return `postgres://${name}:${secret}@${socket}:${port}/${database}`;
  };
  const setUp = (databaseUrl: string, by = urlOf("postgres", "postgres", postgres.connection.password)) =>
    admin("database-setup --run", { environment: { DATABASE_URL: databaseUrl, SUPERUSER_DATABASE_URL: by } });
  const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: "unused" }, silentLog);

  const factsOf = async (databaseUrl: string) => {
    const database = await openDatabase({ databaseUrl, dataDir: "unused" }, silentLog, { as: "doctor" });
    const findings = await checkDatabase(database.owner, await readMigrationState(database.owner), { isOwn: true });
    await database.close();
    return findings.map(({ saw }) => saw);
  };

  test("a site works whose logins have no right beyond its database, also when it has run again", async () => {
    const database = await open(one);
    await sendContact(database);
    const created = await admin("create ada@example.com --admin --password-stdin", {
      environment: { DATABASE_URL: one },
      input: "a long password of words",
    });
    expect(created).toMatchObject({ code: 0, err: "" });
    await database.close();

    expect(await setUp(one)).toMatchObject({ code: 0 });
    // A restart finds the same, as the same login.
    const again = await open(one);
    expect(await readContacts(again)).toEqual([{ name: "Ada" }]);
    expect((await again.caller.query("select current_user as user")).rows).toEqual([{ user: "heron's_authenticator" }]);
    expect(await rightsOf(again, "heron's_authenticator")).toEqual([]);
    for (const role of ["heron's", "service_role", "postgres"])
      await expect(again.caller.query(`set role ${escapeIdentifier(role)}`)).rejects.toMatchObject({ code: "42501" });
    await expect(asCaller(again.caller, service, (db) => db.query("select"))).rejects.toMatchObject({ code: "42501" });
    // The owner, who is no superuser, may try what callers may do.
    expect((await checkAccess(again.owner)).map(({ level }) => level)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(await factsOf(one)).toContain("Owner and callers have the roles they need, and no more.");
    await superuser.owner.query(`alter role "heron's_authenticator" bypassrls`);
    expect(await factsOf(one)).toContainEqual(
      expect.stringMatching(/^heron's_authenticator may do more than a caller needs/),
    );
    await superuser.owner.query(`alter role "heron's_authenticator" nobypassrls`);
    await superuser.owner.query("grant connect on database heron to public");
    expect(await factsOf(one)).toContainEqual(expect.stringMatching(/^Every login of this PostgreSQL may enter/));
    expect(await setUp(one)).toMatchObject({ code: 0, err: "" });
    expect(await factsOf(one)).toContain("Owner and callers have the roles they need, and no more.");
    await again.close();
  });

  test("a second site beside it has its own login, closed to the first", async () => {
    const [first, second] = [await open(one), await open(two)];
    await sendContact(second);
    const foreign = connect(urlOf("heron's", "Two-Sites"), silentLog);
    foreign.caller.options.user = await findOwnCallerLogin(first.owner);
    for (const pool of [foreign.owner, foreign.caller])
      await expect(pool.query("select")).rejects.toThrow(/permission denied for database/);
    await Promise.all([first.close(), second.close(), foreign.close()]);
  });

  // In a PostgreSQL that was upgraded from version 14, everybody may create functions and operators in `public`.
  test("neither database-setup nor the site runs what another tenant has made in public", async () => {
    await superuser.owner.query("create role tenant login password 't'");
    const site = urlOf("guest", "guest");
    expect(await setUp(site)).toMatchObject({ code: 0, err: "" });
    for (const database of ["postgres", "guest"]) {
      const { owner: inside, close } = connect({ ...postgres.connection, database }, silentLog);
      await inside.query(
        `grant connect on database ${database} to tenant; grant create, usage on schema public to public`,
      );
      const { owner: tenant, close: leave } = connect(urlOf("tenant", database, "t"), silentLog);
      await tenant.query(traps);
      await leave();
      expect(await setUp(site)).toMatchObject({ code: 0, err: "" });
      if (database === "guest") {
        const started = await open(site);
        await factsOf(site);
        expect((await checkAccess(started.owner)).map(({ level }) => level)).toEqual(["ok", "ok", "ok", "ok"]);
        await started.close();
      }
      await inside.query("revoke create on schema public from public");
      await close();
    }
  });

  test("after a new password of the owner, the start names it, and it sets that of the other login", async () => {
    onTestFinished(async () => void (await setUp(two)));
    await (await open(two)).close();
    await superuser.owner.query(`alter role two password 'another'`);
    const changed = urlOf("two", "Two-Sites", "another");
    await expect(open(changed)).rejects.toThrow(/^The login two_authenticator refuses .* database-setup/);
    expect(await setUp(changed)).toMatchObject({ code: 0 });
    await (await open(changed)).close();
    const wrong = await setUp(urlOf("two", "Two-Sites", "a typing error"));
    expect(wrong.err).toMatch(/^Everything is set up, but DATABASE_URL cannot be used: password authentication failed/);
    // It changes no password of an owner.
    await superuser.owner.query(`alter role two password 'p''two"'`);
  });

  test.runIf(isLong)("an administrator without superuser can run it, as on a managed service", async () => {
    await superuser.owner.query("create role manager login createrole createdb password 'm'");
    // The manager cannot grant roles that another administrator made.
    await superuser.owner.query(
      major < 16 ? "select" : "grant anon, authenticated to manager with admin option, inherit false, set false",
    );
    // The manager has the owner's rights only after `set role`.
    if (major >= 16) await superuser.owner.query("alter role manager set createrole_self_grant = 'set'");
    const managed = urlOf("managed", "managed");
    expect(await setUp(managed, urlOf("manager", "postgres", "m"))).toMatchObject({ code: 0, err: "" });
    expect(await setUp(managed, urlOf("manager", "postgres", "m"))).toMatchObject({ code: 0, err: "" });
    const database = await open(managed);
    await sendContact(database);
    expect(await rightsOf(database, "managed_authenticator")).toEqual([]);
    await database.close();
  });

  test.each([
    ["alter role two superuser", "alter role two nosuperuser", /nothing more was done: two is a superuser/],
    ["alter role two createrole", "alter role two nocreaterole", /two is a superuser, or has createrole/],
    ["grant postgres to two", "revoke postgres from two", /two may become postgres/],
    ["grant two to two_authenticator", "revoke two from two_authenticator", /two_authenticator may become two/],
    ["grant two to clerk", "revoke two from clerk", /: clerk may become two, or let others/],
    [
      "grant two_authenticator to clerk with admin option",
      "revoke two_authenticator from clerk",
      /: clerk may become two_authenticator, or let others/,
    ],
    ["alter role two_authenticator bypassrls", "alter role two_authenticator nobypassrls", /two_authenticator is/],
    ["alter role anon login", "alter role anon nologin", /The role anon has other rights/],
    [
      "grant pg_monitor to service_role",
      "revoke pg_monitor from service_role",
      /The role service_role has other rights/,
    ],
    ["alter role authenticated bypassrls", "alter role authenticated nobypassrls", /may become authenticated/],
    [
      `alter database "Two-Sites" owner to clerk`,
      `alter database "Two-Sites" owner to two`,
      /Two-Sites belongs to clerk/,
    ],
  ])("it refuses to go on after `%s`", async (change, undo, sentence) => {
    await superuser.owner.query(change);
    const { code, err } = await setUp(two);
    await superuser.owner.query(undo);
    expect(code).toBe(1);
    expect(err).toMatch(sentence);
    expect(err).not.toContain("\n");
  });

  test("the printed statements show no password", async () => {
    const { out } = await admin("database-setup", { environment: { DATABASE_URL: two } });
    expect(out).toContain("SCRAM-SHA-256$4096:");
    expect(out).not.toContain(`p'two"`);
    expect(out).not.toContain(`p''two"`);
  });
});

// In a PostgreSQL of its own: before version 16, createrole is enough where another site's roles are there already.
test.each(majors)("on PostgreSQL %i, without it, an owner who may create roles is told of it", async (major) => {
  const { postgres, databaseUrl } = await startForClerk(major, "createrole");
  await expect(openDatabase({ databaseUrl, dataDir: "unused" }, silentLog)).rejects.toThrow(
    /0001_roles\.sql cannot be applied: .*npm run admin -- database-setup/,
  );

  // A superuser needs none, and no statement of its first start shows a password, which a log of statements would keep.
  const query = vi.spyOn(Client.prototype, "query");
  const { owner, close } = connect(postgres.connection, silentLog);
  onTestFinished(close);
  await migrate(owner, silentLog);
  const sent = JSON.stringify(query.mock.calls.map(([statement, values]) => [textOfStatement(statement), values]));
  query.mockRestore();
  expect(sent.match(/alter role authenticator login password '[^:']*/g)).toEqual([
    "alter role authenticator login password 'SCRAM-SHA-256$4096",
  ]);
  expect(sent).not.toContain(authenticatorPassword(postgres.connection.password));
});

test.runIf(isLong).each(majors.filter((major) => major >= 16))(
  "on PostgreSQL %i, an owner with createrole and bypassrls needs no database-setup, and may run it later",
  async (major) => {
    const { postgres, urlOf, databaseUrl } = await startForClerk(major, "createrole bypassrls");
    const database = await openDatabase({ databaseUrl, dataDir: "unused" }, silentLog);
    await sendContact(database);
    expect(database.caller.options.user).toBe("authenticator");
    // This owner may not become a caller, but may grant itself that right.
    expect((await checkAccess(database.owner)).map(({ level }) => level)).toEqual(["ok", "ok", "ok", "ok"]);
    await database.close();

    // Switches to database-setup later, as docs/postgresql.md says.
    const superuser = connect(postgres.connection, silentLog);
    await superuser.owner.query(
      "alter role clerk nocreaterole nobypassrls; revoke service_role, authenticator from clerk cascade",
    );
    await superuser.owner.query("create role other login password 'o'");
    await superuser.close();
    const by = urlOf("postgres", postgres.connection.password, "postgres");
    expect(await runPrinted(databaseUrl, by)).toMatchObject({ code: 0, err: "" });
    const prepared = await openDatabase({ databaseUrl, dataDir: "unused" }, silentLog);
    expect(await rightsOf(prepared, "clerk_authenticator")).toEqual([]);
    await prepared.close();
    // Any other login stays outside. That of another site may become `authenticated` too.
    const other = connect(urlOf("other", "o", "clerk"), silentLog);
    onTestFinished(other.close);
    await expect(other.owner.query("select")).rejects.toThrow(/permission denied for database/);
  },
);

/** Runs what `npm run admin -- database-setup` prints as psql does, which runs the results of a query before `\\gexec`. */
async function runPrinted(databaseUrl: string, by: string) {
  const printed = await admin("database-setup", { environment: { DATABASE_URL: databaseUrl } });
  if (printed.code !== 0) return printed;
  const client = new Client(by);
  await client.connect();
  try {
    for (const statement of printed.out.slice(printed.out.indexOf("\n\n")).split("\n\n")) {
      const [query = "", isExecuted] = statement.split("\\gexec");
      const { rows } = await client.query<string[]>({ text: query, rowMode: "array" });
      for (const [yielded = ""] of isExecuted === undefined ? [] : rows) await client.query(yielded);
    }
    return { code: 0, err: "" };
  } catch (error) {
    return { code: 1, err: (error as Error).message };
  } finally {
    await client.end();
  }
}

/** They fit unqualified calls and operators of ours better than those of PostgreSQL. */
const trap = "language plpgsql as $$ begin raise exception 'trapped'; end $$";
const traps = `
  create function public.pg_has_role(text, text, text) returns boolean ${trap};
  create function public.has_column_privilege(text, oid, int2, text) returns boolean ${trap};
  create function public.joined(name, name) returns text ${trap};
  create operator public.|| (function = public.joined, leftarg = name, rightarg = name)`;

/** An empty PostgreSQL until the end of the test, with a database of the login `clerk`, which has these rights. */
async function startForClerk(major: number, rights: string) {
  const postgres = await startMajor(major);
  onTestFinished(() => postgres.stop());
  const { owner, close } = connect(postgres.connection, silentLog);
  await owner.query(`create role clerk login ${rights} password 'c'`);
  await owner.query("create database clerk owner clerk");
  await close();
  const { host, port } = postgres.connection;
  const urlOf = (user: string, password: string, database: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
  return { postgres, urlOf, databaseUrl: urlOf("clerk", "c", "clerk") };
}

async function sendContact({ owner, caller }: Connections) {
  const insert = "insert into contacts (name, email, interest) values ('Ada', 'ada@example.com', 'consulting')";
  await asCaller(caller, visitor, (db) => db.query(insert));
  expect((await owner.query("select task from private.jobs where task = 'announce-contact'")).rowCount).toBe(1);
}

/** As the account with the role `admin`. */
async function readContacts({ owner, caller }: Connections) {
  const { rows } = await owner.query("select user_id from public.user_roles where role = 'admin'");
  const claims: Claims = { role: "authenticated", sub: rows[0].user_id, aal: "aal1" };
  return (await asCaller(caller, claims, (db) => db.query("select name from contacts"))).rows;
}

/** What makes one of the site's logins mightier than it should be, in words. */
async function rightsOf({ owner }: Connections, caller: string): Promise<string[]> {
  const { rows } = await owner.query<{ found: string }>(
    `select rolname || ' is mighty' as found from pg_roles
     where rolname in (current_user, $1) and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
     union all
     select login.rolname || ' may become ' || able.rolname
     from pg_roles login join pg_roles able on pg_has_role(login.oid, able.oid, 'member') and able.oid <> login.oid
     where login.rolname in (current_user, $1) and able.rolname not in ('pg_database_owner', 'anon', 'authenticated')
     union all
     select role || ' reads or changes ' || c.oid::regclass
     from pg_class c, unnest(array[$1, 'anon', 'authenticated']) role
     where c.relnamespace::regnamespace::text in ('auth', 'private', 'supabase_migrations') and c.relkind in ('r', 'v', 'S')
       and case c.relkind when 'S' then has_sequence_privilege(role, c.oid, 'usage, select, update')
         else has_any_column_privilege(role, c.oid, 'select, insert, update, references')
           or has_table_privilege(role, c.oid, 'delete, truncate, trigger') end
     union all
     select $1 || ' has a right on ' || c.oid::regclass from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
       and has_any_column_privilege($1, c.oid, 'select, insert, update, references')
     union all
     select $1 || ' makes schemas or temporary tables' where has_database_privilege($1, current_database(), 'create, temporary')`,
    [caller],
  );
  return rows.map(({ found }) => found);
}
