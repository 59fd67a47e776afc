import type { PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { beginCopying } from "#operations/backup/copy-tables";
import { migrate, openDatabase, readProductMigrations } from "#server/database";
import { createDatabase, createEmptyDatabase, type TestDatabase, visitor } from "../../tests/support/database.ts";
import { withRareCases } from "../../tests/support/rare-cases.ts";
import { silentLog } from "../../tests/support/silent-log.ts";
import { type Connections, connect } from "./connections.ts";
import { versionsOf } from "./migrations.ts";

let database: TestDatabase;

test("each table is made after those that it refers to, so that a restore can fill them in this order", async () => {
  database = await createDatabase();
  const { rows } = await database.owner.query(
    "select conrelid::regclass from pg_constraint where contype = 'f' and confrelid > conrelid",
  );
  expect(rows).toEqual([]);
});

test("if several servers start at the same time, only one server applies each migration", async () => {
  database = await createEmptyDatabase();
  const servers = [1, 2].map(() => connect(database.connection, silentLog));
  const lines: string[] = [];
  const log = { info: (line: unknown) => lines.push(String(line)), warn() {} };
  await Promise.all(servers.map(({ owner }) => migrate(owner, log)));
  await Promise.all(servers.map((server) => server.close()));
  expect(lines.filter((line) => line.includes("_contacts.sql"))).toHaveLength(1);
  expect(new Set(lines).size).toBe(lines.length);
});

test.runIf(withRareCases)("several databases of one PostgreSQL can be migrated at the same time", async () => {
  database = await createEmptyDatabase();
  const other = await createEmptyDatabase();
  await Promise.all([database, other].map(({ owner }) => migrate(owner, silentLog)));
  await other.as(visitor, (db) => db.query("select auth.uid()"));
});

test.each([
  ["'{select 1}'", true],
  ["statements || array[E'create table forgotten () /* \\n-- */']", true],
  ["array[E'select ''\\n-- text\\n'' -- a comment']", true],
  // As the Supabase CLI records it.
  ["array (select part from unnest(string_to_array(statements[1], E';\\n')) part)", false],
  ["array[E'-- Another opening.\\n' || statements[1] || E'\\n  -- create table forgotten ();']", false],
])("an applied migration with the statements %s counts as edited: %s", async (statements, isEdited) => {
  database = await createDatabase();
  await database.owner.query(`update supabase_migrations.schema_migrations set statements = ${statements}`);
  const [first] = await applied();
  const migrating = migrate(database.owner, silentLog);
  const sentence = `${first?.version}_${first?.name}.sql was edited after it had been applied: add a new migration instead.`;
  await (isEdited ? expect(migrating).rejects.toThrow(sentence) : migrating);
});

test("the table of migrations of an old Supabase CLI, without names and statements, is completed", async () => {
  database = await createEmptyDatabase();
  await database.owner.query(
    "create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text primary key)",
  );
  await migrate(database.owner, silentLog);
  const named = "select from supabase_migrations.schema_migrations where name is not null and statements is not null";
  expect((await database.owner.query(named)).rowCount).toBe(
    versionsOf(readProductMigrations()).schema_migrations.length,
  );
});

test("a migration that loses a deadlock with a request of an older server is repeated", async () => {
  database = await createEmptyDatabase();
  const { owner } = database;
  const versions = versionsOf(readProductMigrations());
  await migrate(owner, silentLog, { only: { ...versions, server_migrations: [] } });
  // The migration locks the contacts and then the roles, and the request the other way round. The migration looks for a
  // deadlock after 2 seconds and the request after 5, so PostgreSQL cancels the migration.
  await owner.query(`
    do $$ begin execute format('alter database %I set deadlock_timeout = %L', current_database(), '2s'); end $$;
    create function lock_roles() returns event_trigger language plpgsql
      as $$ begin lock table public.user_roles in share row exclusive mode; end $$;
    create event trigger lock_roles on ddl_command_end when tag in ('CREATE TRIGGER') execute function lock_roles()`);
  const older = await owner.connect();
  try {
    await older.query("set deadlock_timeout = '5s'");
    await older.query("begin; lock table public.user_roles in row exclusive mode");
    const newer = connect(database.connection, silentLog);
    const migrating = migrate(newer.owner, silentLog);
    const waiting = "select from pg_locks where not granted and relation = 'public.user_roles'::regclass";
    await expect.poll(async () => (await owner.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    // On a machine that stalls here for 2 seconds, PostgreSQL cancels this request instead of the migration.
    const request = "lock table public.contacts in row exclusive mode";
    await older.query(request).catch((error) => expect(error).toMatchObject({ code: "40P01" }));
    await older.query("commit");
    await migrating;
    await newer.close();
  } finally {
    older.release(true);
  }
  await owner.query("select from private.jobs");
});

describe("a migration of a table that a backup reads", () => {
  const send = "insert into contacts (name, email, interest) values ('Ada', 'ada@example.com', 'consulting')";
  const waiting = "select pid from pg_locks where not granted and relation = 'public.contacts'::regclass";
  let backup: PoolClient;
  let newer: Connections;
  let lines: string[];
  let log: { info: (line: unknown) => void; warn: (line: unknown) => void };
  beforeEach(async () => {
    database = await createEmptyDatabase();
    await migrate(database.owner, silentLog, {
      only: { ...versionsOf(readProductMigrations()), server_migrations: [] },
    });
    // As a migration does that adds a column.
    await database.owner.query(`
      create function lock_contacts() returns event_trigger language plpgsql
        as $$ begin lock table public.contacts in access exclusive mode; end $$;
      create event trigger lock_contacts on ddl_command_end when tag in ('CREATE TRIGGER') execute function lock_contacts()`);
    // An operator's limits cancel the statements of this database, but no migration.
    await database.owner.query(
      "do $$ begin execute format('alter database %I set statement_timeout = %L', current_database(), '5s'); end $$",
    );
    backup = await database.owner.connect();
    await beginCopying(backup, "isolation level repeatable read, read only");
    await backup.query("select from contacts");
    newer = connect(database.connection, silentLog);
    lines = [];
    log = { info: () => {}, warn: (line) => lines.push(String(line)) };
  });
  afterEach(async () => {
    backup.release(true);
    await newer.close();
  });

  test("lets the contacts of visitors pass, says what it waits for, and is applied after the backup", async () => {
    const migrating = migrate(newer.owner, log);
    await expect.poll(async () => (await database.owner.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await database.as(visitor, (db) => db.query(send));
    await expect
      .poll(() => lines)
      .toEqual([
        expect.stringMatching(
          /^\d+_jobs\.sql cannot be applied while a lock is held by: backup or restore, user \w+, process \d+, since [^;]+\. Trying again/,
        ),
      ]);
    await backup.query("commit");
    await migrating;
    expect((await database.owner.query("select from contacts")).rowCount).toBe(1);
    await database.owner.query("select from private.jobs");
  });

  test("ends with a sentence after some time", async () => {
    const clock = vi.spyOn(performance, "now").mockImplementation(() => clock.mock.calls.length * 6 * 60_000);
    onTestFinished(() => clock.mockRestore());
    await expect(migrate(newer.owner, log)).rejects.toThrow(
      /^\d+_jobs\.sql cannot be applied while .* held by: backup or restore, user .*\. End it, or start again/,
    );
    await database.as(visitor, (db) => db.query(send));
  });

  test("is not run again by a start that waits for its database if an operator cancels it", async () => {
    const whenAway = vi.fn();
    const opening = openDatabase({ databaseUrl: database.url, dataDir: "unused" }, silentLog, { whenAway });
    const refused = expect(opening).rejects.toThrow(/^\d+_jobs\.sql cannot be applied: cancel/);
    await expect.poll(async () => (await database.owner.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await database.owner.query(`select pg_cancel_backend(pid) from (${waiting}) as w`);
    await refused;
    expect(whenAway).not.toHaveBeenCalled();
  });
});

test("a database with an applied migration that the code does not have is refused", async () => {
  database = await createDatabase();
  await database.owner.query(
    "insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')",
  );
  await expect(migrate(database.owner, silentLog)).rejects.toThrow(
    /29990101000000_later, which is not among these files/,
  );
});

test("a failed migration is rolled back, and the error names the file", async () => {
  database = await createEmptyDatabase();
  await database.owner.query("create table public.contacts (id integer)");
  await expect(migrate(database.owner, silentLog)).rejects.toThrow(
    /_contacts\.sql cannot be applied: .*already exists/,
  );
  await database.owner.query("drop table public.contacts");
  await migrate(database.owner, silentLog);
});

async function applied(): Promise<{ version: string; name: string }[]> {
  return (await database.owner.query("select version, name from supabase_migrations.schema_migrations order by 1"))
    .rows;
}
