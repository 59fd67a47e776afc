import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "#backend/database/connections";
import { openBackup } from "#operations/backup/read-backup";
import { restoreBackup } from "#operations/backup/restore-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { runBackup } from "#operations/commands/backup/run-backup";
import { runRestore } from "#operations/commands/backup/run-restore";
import { migrate } from "#server/database";
import { Worker } from "#server/jobs/worker";
import { startAuth } from "#tests/support/auth-server";
import { at, createBackupFixture, hostileNote, manifestOf, run } from "#tests/support/backup-fixture";
import { createDatabase, createEmptyDatabase, hostedSchema, type TestDatabase, visitor } from "#tests/support/database";
import { silentLog } from "#tests/support/silent-log";

const { server, folder, file, original, tablesOf } = await createBackupFixture();

test("a backup fills an empty database with the same rows, and everything in it goes on", async () => {
  const database = await createEmptyDatabase();
  const { code, out, err } = await run(runRestore, [file, "--send-jobs"], at(database));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^public\.contacts +6 /m);
  expect(out).toMatch(/^Emails and calls that were waiting then: \d+\. A server sends them when it starts/m);

  expect(await tablesOf(database)).toEqual(original.tables);
  // Every table is in it, except those that PostgreSQL empties after a crash.
  const { rows: kept } = await database.owner.query(
    `select t.schemaname || '.' || t.tablename as name from pg_tables t
     join pg_class c on c.oid = format('%I.%I', t.schemaname, t.tablename)::regclass
     where t.schemaname in ('auth', 'public', 'private') and c.relpersistence = 'p' order by c.oid`,
  );
  expect(original.tables.map(({ name }) => name)).toEqual(kept.map(({ name }) => name));
  const empty = original.tables.filter(({ rows }) => rows === 0).map(({ name }) => name);
  expect(empty, "what fills them belongs into tests/support/lived-in-account.ts").toEqual([]);
  const { rows } = await database.owner.query("select note from contacts where name = 'A'");
  expect(rows).toEqual([{ note: hostileNote }]);

  // A second restore that had waited for the first one is refused, and so is one into a database of newer code.
  const backup = await openBackup(file);
  onTestFinished(() => backup.close());
  await expect(restoreBackup(database.owner, backup)).rejects.toThrow(/^The database holds contacts already/);
  const older = { ...original, migrations: { ...original.migrations, server_migrations: [] } };
  await expect(restoreBackup(database.owner, { ...backup, manifest: older })).rejects.toThrow(
    /^The database has the migration/,
  );

  // The triggers are on again, and the numbers of jobs go on: this contact is announced by a new job.
  const lastJob = async () => (await database.owner.query("select max(id)::int as id from private.jobs")).rows[0].id;
  const before = await lastJob();
  await database.as(visitor, (db) =>
    db.query("insert into contacts (name, email, interest) values ('New', 'new@example.com', 'consulting')"),
  );
  expect(await lastJob()).toBe(before + 1);
});

test("tables of an operator or of an extension are backed up and restored, whatever their names and types", async () => {
  const operators = `
    create table public."Orders" (id int generated always as identity primary key, "from.to" text, "a,b" int, "user" text);
    create table public."a.b ""c"" / \\ ..%é" (x int primary key, twice int generated always as (x * 2) stored);
    create table public."user" (at point, document xml, options json[], note text);
    create table public.parts (id int, day date, primary key (id, day)) partition by range (day);
    create index on public.parts (day);
    create table public."Parts 2026" partition of public.parts for values from ('2026-01-01') to ('2027-01-01');
    create table private.parent (id int, exclude using btree (id with =)); create table private.child () inherits (private.parent)`;
  const source = await createDatabase();
  await source.owner.query(`${operators};
    insert into public."Orders" ("from.to", "a,b", "user") values ('Ada', 1, 'b'), ('Zoë', 2, 'c');
    insert into public."a.b ""c"" / \\ ..%é" values (3);
    insert into public."user" values ('(2,1)', '<b/>', '{"{\\"a\\":1}"}', 'B'), ('(1,2)', '<a/>', null, 'A');
    insert into public.parts values (1, '2026-11-22');
    insert into private.parent values (1); insert into private.child values (2)`);
  const path = join(folder, "operators.zip");
  expect(await run(runBackup, [path], at(source))).toMatchObject({ code: 0, err: "" });
  expect(await run(runBackup, ["--check", path])).toMatchObject({ code: 0, err: "" });
  const { tables } = await manifestOf(path);
  expect(tables.slice(-6).map(({ name, rows }) => [name, rows])).toEqual([
    ['public."Orders"', 2],
    ['public."a.b ""c"" / \\ ..%é"', 1],
    ['public."user"', 2],
    ['public."Parts 2026"', 1],
    ["private.parent", 1],
    ["private.child", 1],
  ]);

  const alone = await run(runRestore, [path], at(await createEmptyDatabase()));
  expect(alone).toMatchObject({ code: 0, err: "" });
  expect(alone.out).toContain('Not restored, because no migration makes it: public."Orders".');
  const prepared = await createDatabase();
  await prepared.owner.query(operators);
  const backup = await openBackup(path);
  await restoreBackup(prepared.owner, backup).finally(() => backup.close());
  expect((await tablesOf(prepared)).slice(-6)).toEqual(tables.slice(-6));
  const next = `insert into public."Orders" default values returning id`;
  expect((await prepared.owner.query(next)).rows).toEqual([{ id: 3 }]);
});

test("rows that differ from the file are rolled back", async () => {
  const database = await createDatabase();
  const backup = await openBackup(file);
  onTestFinished(() => backup.close());
  const users = backup.manifest.tables.find(({ name }) => name === "auth.users");
  if (users) users.checksum = "another";
  await expect(restoreBackup(database.owner, backup)).rejects.toThrow(
    /^auth\.users has \d+ rows .*: nothing was restored\.$/,
  );
  expect((await database.owner.query("select from auth.users")).rowCount).toBe(0);
});

test("a filled, newer or hosted database is refused in a sentence, and stays as it is", async () => {
  const refused = async (database: TestDatabase) => (await run(runRestore, [file], at(database))).err;
  expect(await refused(server.database)).toMatch(/^The database holds contacts already\. [^\n]+$/);

  const newer = await createDatabase();
  await newer.owner.query("insert into supabase_migrations.server_migrations (version) values ('9999')");
  expect(await refused(newer)).toMatch(/^The database has the migration 9999, which the backup does not have: [^\n]+$/);

  const hosted = await createEmptyDatabase();
  await hosted.owner.query(hostedSchema);
  expect(await refused(hosted)).toMatch(
    /^DATABASE_URL leads to the database of a Supabase project[^\n]+--contacts-only\.$/,
  );
  expect((await hosted.owner.query("select to_regnamespace('supabase_migrations') as name")).rows).toEqual([
    { name: null },
  ]);
});

test("a database is refused if a server runs on it, even one that connects during the check", async () => {
  const refusal = "A server is running on this database: stop it first.";
  const other = await startAuth();
  expect((await run(runRestore, [file], at(other.database))).err).toBe(refusal);

  const database = await createDatabase();
  const { owner } = database;
  const restored = run(runRestore, [file], at(database));
  const lockOfMigrations = `select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  while ((await owner.query(lockOfMigrations)).rowCount === 0) await pause(5);
  // The server starts during the check, after its first look.
  await pause(200);
  const worker = new Worker({ owner, log: silentLog, tasks: {} });
  onTestFinished(() => worker.stop());
  expect((await restored).err).toBe(refusal);
});

test("a backup from newer code is refused, one from older code is migrated after the restore", async () => {
  const older = await createEmptyDatabase();
  const { server_migrations: versions } = original.migrations;
  const only = { ...original.migrations, server_migrations: versions.slice(0, -1) };
  await migrate(older.owner, silentLog, { only });
  await older.owner.query("insert into contacts (name, email, interest) values ('Old', 'o@example.com', 'consulting')");
  await older.owner.query(`insert into private.jobs (task, payload, lane, attempts_max, created_at)
    values ('await-digest', '{"contact_id": "5f"}', 'digest', 22, '2025-01-01Z'), ('collect-digest', '{}', 'mail', 22, now()),
      ('make-daily-backup', '{}', 'backup', 10000, now())`);
  const path = join(folder, "older.zip");
  expect((await run(runBackup, [path], at(older))).code).toBe(0);
  expect((await manifestOf(path)).migrations).toEqual(only);

  const database = await createEmptyDatabase();
  const { code, err, out } = await run(runRestore, [path], at(database));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const { rows } = await database.owner.query(
    `select (select count(*)::int from contacts) as contacts,
       (select array_agg(version order by version) from supabase_migrations.server_migrations) as versions`,
  );
  expect(rows).toEqual([{ contacts: 1, versions }]);
  // No server sends what waited, the inbox offers to send it, and no waiting digest delays the next one.
  expect(out).toMatch(/^Emails and calls that were waiting then: 2\. They are held:/m);
  const { rows: jobs } = await database.owner.query(
    `select task, lane, attempts >= attempts_max as gave_up, created_at > now() - interval '2 hours' as is_kept
     from private.jobs where last_error like 'Held %' order by id`,
  );
  expect(jobs).toEqual(
    ["announce-contact", "await-digest"].map((task) => ({ task, lane: "announce", gave_up: true, is_kept: true })),
  );

  await older.owner.query("insert into supabase_migrations.schema_migrations (version) values ('29990101000000')");
  const newer = join(folder, "newer.zip");
  expect((await run(runBackup, [newer], at(older))).code).toBe(0);
  expect((await run(runRestore, [newer], at(await createEmptyDatabase()))).err).toMatch(
    /^The backup has the migration 29990101000000, which this code does not have: [^\n]+$/,
  );
});

test("the owner of the tables needs no other right to back up and to restore", async () => {
  const user = `plain_${randomBytes(4).toString("hex")}`;
  await server.database.owner.query(`create role ${user} login password 'plain'`);
  onTestFinished(async () => void (await server.database.owner.query(`drop role ${user}`)));
  const database = await createDatabase();
  await database.owner.query(`
    do $$ declare each record; begin
      execute format('alter database %I owner to ${user}', current_database());
      for each in select c.oid::regclass as name from pg_class c
        where relkind in ('r', 'v') and relnamespace in
          ('auth'::regnamespace, 'public'::regnamespace, 'private'::regnamespace, 'supabase_migrations'::regnamespace)
      loop execute format('alter table %s owner to ${user}', each.name); end loop;
      for each in select unnest(array['auth', 'private', 'supabase_migrations']) as name
      loop execute format('alter schema %I owner to ${user}', each.name); end loop;
    end $$;
    grant all on schema public to ${user};
    grant usage on schema extensions to ${user}`);
  const plain = connect({ ...database.connection, user, password: "plain" }, silentLog);
  try {
    const backup = await openBackup(file);
    await restoreBackup(plain.owner, backup, { sendsJobs: true }).finally(() => backup.close());
    expect(await tablesOf(plain)).toEqual(original.tables);
  } finally {
    await plain.close();
  }
});

test("a column that only the backup or only the database has is named", async () => {
  const source = await createDatabase();
  await source.owner.query("alter table contacts add phone text");
  const path = join(folder, "phone.zip");
  await writeBackup(source.owner, path);
  expect((await run(runRestore, [path], at(await createEmptyDatabase()))).err).toBe(
    "Backup and database differ in public.contacts (phone): restore into a database with the same tables and columns.",
  );
  expect((await run(runRestore, [path, "--contacts-only"], at(await createDatabase()))).err).toBe(
    "The database lacks columns of the backup's contacts: phone. Update it or add them first.",
  );
});
