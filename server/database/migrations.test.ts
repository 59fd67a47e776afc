import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { StartError } from "#server/start-error";
import { createEmptyDatabase, type TestDatabase, visitor } from "../../tests/support/database.ts";
import { startMajor } from "../../tests/support/postgres-major.ts";
import { silent } from "../../tests/support/silent.ts";
import { authenticatorPassword, connect } from "./connections.ts";
import { bootstrapDir, migrationVersions } from "./migration-files.ts";
import { migrate } from "./migrations.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

test("the migrations run on an empty database, and a second run changes nothing", async () => {
  await migrate(database.owner, silent);
  const before = await applied();
  await migrate(database.owner, silent);
  expect(await applied()).toEqual(before);
  expect(before.length).toBeGreaterThan(3);
  await database.as(visitor, (db) => db.query("select auth.uid()"));
});

test("if several servers start at the same time, only one server applies each migration", async () => {
  const servers = [1, 2, 3].map(() => connect(database.connection, silent));
  const lines: string[] = [];
  const log = { info: (line: unknown) => lines.push(String(line)) };
  await Promise.all(servers.map(({ owner }) => migrate(owner, log)));
  await Promise.all(servers.map((server) => server.close()));
  expect(lines.filter((line) => line.includes("_contacts.sql"))).toHaveLength(1);
  expect(new Set(lines).size).toBe(lines.length);
});

test("several databases of one PostgreSQL can be migrated at the same time", async () => {
  const others = await Promise.all([1, 2, 3].map(() => createEmptyDatabase()));
  await Promise.all([database, ...others].map(({ owner }) => migrate(owner, silent)));
  for (const { as } of others) await as(visitor, (db) => db.query("select auth.uid()"));
  await Promise.all(others.map((other) => other.drop()));
});

test("an applied migration that was edited is refused, and the error names the file", async () => {
  await migrate(database.owner, silent);
  const [first] = await applied();
  await database.owner.query(
    "update supabase_migrations.schema_migrations set statements = '{select 1}' where version = $1",
    [first?.version],
  );
  await expect(migrate(database.owner, silent)).rejects.toThrow(
    new StartError(
      `${first?.version}_${first?.name}.sql was edited after it had been applied: add a new migration instead.`,
    ),
  );
});

test("a migration recorded by the Supabase CLI counts as applied", async () => {
  await migrate(database.owner, silent);
  await database.owner.query(`update supabase_migrations.schema_migrations
    set statements = array (select part from unnest(string_to_array(statements[1], E';\\n')) part)`);
  await migrate(database.owner, silent);
});

test("no statement of a start shows a password, which a log of statements would keep", async () => {
  const postgres = await startMajor(18);
  onTestFinished(() => postgres.stop());
  const { owner, close } = connect(postgres.connection, silent);
  await owner.query("alter role postgres set log_statement = 'all'");
  await migrate(owner, silent);
  await close();
  const log = await readFile(postgres.log, "utf8");
  expect(log.match(/alter role authenticator login password '[^:']*/g)).toEqual([
    "alter role authenticator login password 'SCRAM-SHA-256$4096",
  ]);
  expect(log.includes(authenticatorPassword(postgres.connection.password))).toBe(false);
});

test("the jobs that wait in the queue of an earlier version are moved, and its schema is dropped", async () => {
  await database.owner.query(`
    create schema graphile_worker;
    create table graphile_worker._private_tasks (id int, identifier text);
    create table graphile_worker._private_jobs (id bigint, task_id int, payload json, priority smallint, attempts smallint,
      max_attempts smallint, run_at timestamptz, created_at timestamptz, last_error text, locked_at timestamptz);
    create view graphile_worker.jobs as select j.*, t.identifier as task_identifier
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id;
    insert into graphile_worker._private_tasks values (1, 'call-webhook'), (2, 'account-mail');
    insert into graphile_worker._private_jobs values
      (7, 1, '{"contact_id": "c"}', 10, 3, 22, '2026-03-01Z', '2026-02-01Z', 'No.', null),
      (9, 2, '{"email": "ada@example.com"}', -1, 14, 14, '2026-03-02Z', '2026-02-02Z', null, now())`);
  // An old server that still runs is adding a job.
  const oldServer = await database.owner.connect();
  await oldServer.query(`begin; insert into graphile_worker._private_jobs values
    (11, 2, '{"email": "bo@example.com"}', 0, 0, 14, '2026-03-03Z', '2026-02-03Z', null, null)`);
  const migrated = migrate(database.owner, silent);
  await expect
    .poll(() =>
      database.owner
        .query(
          "select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())",
        )
        .then(({ rowCount }) => rowCount),
    )
    .toBeGreaterThan(0);
  await oldServer.query("commit");
  oldServer.release();
  await migrated;
  const { rows } = await database.owner.query("select * from private.jobs order by id");
  const common = { id: expect.any(String), leased_by: null, leased_until: null };
  expect(rows).toEqual([
    {
      ...common,
      ...{ task: "call-webhook", payload: { contact_id: "c" }, lane: "webhook", priority: 10, attempts: 3 },
      ...{ attempts_max: 22, run_at: new Date("2026-03-01Z"), created_at: new Date("2026-02-01Z"), last_error: "No." },
    },
    {
      ...common,
      ...{ task: "account-mail", payload: { email: "ada@example.com" }, lane: "mail", priority: -1, attempts: 14 },
      ...{ attempts_max: 14, run_at: new Date("2026-03-02Z"), created_at: new Date("2026-02-02Z"), last_error: null },
    },
    {
      ...common,
      ...{ task: "account-mail", payload: { email: "bo@example.com" }, lane: "mail", priority: 0, attempts: 0 },
      ...{ attempts_max: 14, run_at: new Date("2026-03-03Z"), created_at: new Date("2026-02-03Z"), last_error: null },
    },
  ]);
  const schema = await database.owner.query("select to_regnamespace('graphile_worker') as name");
  expect(schema.rows).toEqual([{ name: null }]);
});

test("comment lines of an applied migration may change", async () => {
  await migrate(database.owner, silent);
  await database.owner.query(`update supabase_migrations.schema_migrations
    set statements = array['-- Another opening.' || E'\\n' || statements[1] || E'\\n  -- create table forgotten ();']`);
  await migrate(database.owner, silent);
});

test("the migration history table of an earlier version is renamed and keeps its rows", async () => {
  await migrate(database.owner, silent);
  const before = await serverMigrations();
  await database.owner.query("alter table supabase_migrations.server_migrations rename to own");
  await migrate(database.owner, silent);
  expect(await serverMigrations()).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
  await expect(database.owner.query("select from supabase_migrations.own")).rejects.toMatchObject({ code: "42P01" });
});

test("a changed migration is refused if the change only looks like a comment", async () => {
  await migrate(database.owner, silent);
  const set = "update supabase_migrations.schema_migrations set statements = statements || $1::text where version = $2";
  const [first] = await applied();
  await database.owner.query(set, ["create table forgotten () /* \n-- */", first?.version]);
  await expect(migrate(database.owner, silent)).rejects.toThrow(/was edited after it had been applied/);
  await database.owner.query(set.replace("statements || $1::text", "array[$1]"), [
    "select '\n-- text\n' -- a comment",
    first?.version,
  ]);
  await expect(migrate(database.owner, silent)).rejects.toThrow(/was edited after it had been applied/);
});

test("the rows of the auth tables survive the migrations that rename the tables", async () => {
  const { owner } = database;
  await migrateTo("0007");
  const hash = "decode(repeat('ab', 32), 'hex')";
  await owner.query(`
    insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ada@example.com');
    insert into auth.buckets values (${hash}, now());
    insert into auth.familiar_places select id, 'device', ${hash}, now() from auth.users;
    insert into auth.one_time_tokens (user_id, purpose, token_hash, expires_at, code_hash, code_expires_at, code_tries_left)
      select id, 'recovery', ${hash}, now(), 'hash', now(), 3 from auth.users`);
  await migrate(owner, silent);

  const { rows } = await owner.query(`
    select (select count(*)::int from auth.rate_limits) as limits,
           (select encode(value_hash, 'hex') from auth.known_devices) as device,
           (select code_attempts_left from auth.one_time_tokens) as attempts`);
  expect(rows).toEqual([{ limits: 1, device: "ab".repeat(32), attempts: 3 }]);
  const { rows: stale } = await owner.query(`
    select conname from pg_constraint where conname ~ 'buckets|mail_marks|familiar|place_hash|code_tries'
    union all select relname from pg_class where relname ~ 'buckets|mail_marks|familiar|place_hash|code_tries'`);
  expect(stale).toEqual([]);
});

test("contacts with times that no calendar shows stay, with the time of the migration", async () => {
  const { owner } = database;
  const { bootstrap, schema_migrations: versions } = await migrationVersions();
  const before = versions.filter((version) => version < "20261124010000");
  await migrate(owner, silent, { only: { bootstrap, schema_migrations: before, server_migrations: [] } });
  await owner.query(`insert into contacts (name, email, interest, submitted_at, note_version) values
    ('Ada', 'a@x.org', 'consulting', '2001-02-03Z', 7), ('Bo', 'b@x.org', 'consulting', '-infinity', 2147483647);
    update contacts set state_changed_at = 'infinity' where name = 'Bo'`);
  await migrate(owner, silent);
  const { rows } = await owner.query(`select name, submitted_at, note_version, state_changed_at <= now() as is_past,
    submitted_at > now() - interval '1 hour' as is_new from contacts order by name`);
  expect(rows).toMatchObject([
    { name: "Ada", submitted_at: new Date("2001-02-03Z"), note_version: 7, is_past: true, is_new: false },
    { name: "Bo", note_version: 0, is_past: true, is_new: true },
  ]);
  await owner.query("update contacts set state = 'handled'");
});

test("a migration that loses a deadlock with a request of an older server is repeated", async () => {
  const { owner } = database;
  await migrateTo("0007");
  // The migration looks for a deadlock after 2 seconds and the request after 5, so PostgreSQL cancels the migration.
  await owner.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = %L', current_database(), '2s'); end $$`,
  );
  const older = await owner.connect();
  try {
    await older.query("set deadlock_timeout = '5s'");
    await older.query("begin; lock table auth.familiar_places in access share mode");
    const newer = connect(database.connection, silent);
    const migrating = migrate(newer.owner, silent);
    const waiting = "select from pg_locks where not granted and relation = 'auth.familiar_places'::regclass";
    await expect.poll(async () => (await owner.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    // On a machine that stalls here for 2 seconds, PostgreSQL cancels this request instead of the migration.
    await older.query("select from auth.buckets").catch((error) => expect(error).toMatchObject({ code: "40P01" }));
    await older.query("commit");
    await migrating;
    await newer.close();
  } finally {
    older.release(true);
  }
  await owner.query("select from auth.rate_limits");
});

test("a database with an applied migration that the code does not have is refused", async () => {
  await migrate(database.owner, silent);
  await database.owner.query(
    "insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')",
  );
  await expect(migrate(database.owner, silent)).rejects.toThrow(/29990101000000_later, which is not among these files/);
});

test("a failed migration is rolled back, and the error names the file", async () => {
  await database.owner.query("create table public.contacts (id integer)");
  await expect(migrate(database.owner, silent)).rejects.toThrow(/_contacts\.sql cannot be applied: .*already exists/);
  await database.owner.query("drop table public.contacts");
  await migrate(database.owner, silent);
});

test("the authenticator's password depends only on the owner's password", () => {
  expect(authenticatorPassword("owner")).toBe(authenticatorPassword("owner"));
  expect(authenticatorPassword("owner")).not.toBe(authenticatorPassword("another"));
});

/** Applies the bootstrap migrations up to this version, as an earlier version of the server did. */
async function migrateTo(version: string): Promise<void> {
  const { owner } = database;
  await owner.query(`create schema supabase_migrations;
    create table supabase_migrations.bootstrap (version text primary key, name text, statements text[])`);
  for (const file of (await readdir(bootstrapDir)).sort().filter((name) => name.slice(0, 4) <= version)) {
    const [number, name] = file.replace(".sql", "").split(/_(.*)/);
    await owner.query(await readFile(join(bootstrapDir, file), "utf8"));
    await owner.query("insert into supabase_migrations.bootstrap values ($1, $2)", [number, name]);
  }
}

async function applied(): Promise<{ version: string; name: string }[]> {
  return (await database.owner.query("select version, name from supabase_migrations.schema_migrations order by 1"))
    .rows;
}

async function serverMigrations(): Promise<unknown[]> {
  return (await database.owner.query("select * from supabase_migrations.server_migrations order by version")).rows;
}
