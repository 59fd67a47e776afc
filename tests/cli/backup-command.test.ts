import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ZipFile } from "yazl";
import { connect } from "#backend/database/connections";
import { migrate } from "#backend/database/migrations";
import type { Manifest } from "#operations/backup/manifest";
import { openBackup } from "#operations/backup/read-backup";
import { restoreBackup, restoreContacts } from "#operations/backup/restore-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { runBackup } from "#operations/commands/backup/run-backup";
import { runRestore } from "#operations/commands/backup/run-restore";
import type { Terminal } from "#operations/commands/terminal";
import { StartError } from "#process/start-error";
import { startQueue } from "#server/jobs/queue";
import { admin } from "#tests/support/admin";
import { type AuthServer, startAuth } from "#tests/support/auth-server";
import {
  createDatabase,
  createEmptyDatabase,
  hostedSchema,
  jobsAtRest,
  type TestDatabase,
  visitor,
} from "#tests/support/database";
import { livedInAccount } from "#tests/support/lived-in-account";
import { silentLog } from "#tests/support/silent-log";

/** What would break a text of COPY that is not written and read by the same rules. */
const hostileNote = 'Tab\t, newline\n, return\r, backslash \\ \\N \\. "quoted", Zoë 🦩';

let server: AuthServer;
let folder: string;
let file: string;
let original: Manifest;
beforeAll(async () => {
  server = await startAuth({ limitsAreOn: true });
  folder = await mkdtemp(join(tmpdir(), "backup-"));
  file = join(folder, "site.zip");
  await livedInAccount(server, (line) => admin(line, { environment: at(server.database) }), "quokka");
  await jobsAtRest(server.database);
  const { owner } = server.database;
  await owner.query("update contacts set note = $1, referrer = 'news.example' where name = 'A'", [hostileNote]);
  await owner.query("select private.add_visits($1)", [JSON.stringify([{ referrer: "news.example", visits: 1 }])]);
  // A sequence without a number left, as in a damaged or forged database, must not come along.
  await owner.query("select setval('private.jobs_id_seq', 9223372036854775807)");
  const { code, out } = await run(runBackup, [file], at(server.database));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("5 contacts among them") });
  original = await manifestOf(file);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const at = ({ url }: TestDatabase) => ({ DATABASE_URL: url });

/** Runs one of the two commands in this process. */
async function run(
  command: (args: readonly string[], terminal: Partial<Omit<Terminal, "input">>) => Promise<number>,
  args: readonly string[],
  environment: Record<string, string> = {},
) {
  const printed = { out: [] as string[], err: [] as string[] };
  const code = await command(args, {
    environment,
    print: (text) => printed.out.push(text),
    printNote: () => {},
    printError: (error) => printed.err.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  return { code, out: printed.out.join("\n"), err: printed.err.join("\n") };
}

async function manifestOf(path: string): Promise<Manifest> {
  const backup = await openBackup(path);
  backup.close();
  return backup.manifest;
}

/** All that a restore would read. */
async function contentOf(path: string) {
  const backup = await openBackup(path);
  try {
    const texts: string[] = [];
    for (const table of backup.manifest.tables) texts.push(await text(await backup.read(table)));
    return { manifest: backup.manifest, texts };
  } finally {
    backup.close();
  }
}

async function emptyDatabase(create = createEmptyDatabase): Promise<TestDatabase> {
  const database = await create();
  onTestFinished(() => database.drop());
  return database;
}

/** The rows of a database, as a backup of it tells. */
async function tablesOf({ owner }: Pick<TestDatabase, "owner">) {
  const path = join(folder, `${randomBytes(6).toString("hex")}.zip`);
  return (await writeBackup(owner, path)).manifest.tables;
}

test("a backup fills an empty database with the same rows, and everything in it goes on", async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const database = await emptyDatabase();
  const { code, out, err } = await run(runRestore, [file, "--send-jobs"], at(database));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^public\.contacts +5 /m);
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
  expect(empty, "what fills them belongs into tests/support/lived-in-account.ts").toEqual(
    ["auth.mfa_challenges"].filter((name) => empty.includes(name)),
  );
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

  // The indexes are there again.
  const indexesOf = async ({ owner }: TestDatabase) =>
    (await owner.query("select indexdef from pg_indexes order by indexdef")).rows;
  expect(await indexesOf(database)).toEqual(await indexesOf(server.database));

  // The triggers are on again, and the numbers of jobs go on: this contact is announced by a new job.
  const lastJob = async () => (await database.owner.query("select max(id)::int as id from private.jobs")).rows[0].id;
  const before = await lastJob();
  await database.as(visitor, (db) =>
    db.query("insert into contacts (name, email, interest) values ('New', 'new@example.com', 'consulting')"),
  );
  expect(await lastJob()).toBe(before + 1);
});

test("a backup holds one moment, even while contacts are stored", async () => {
  const { owner, as } = await emptyDatabase(createDatabase);
  let isOver = false;
  let sent = 0;
  const sending = (async () => {
    for (; !isOver; sent++) {
      await as(visitor, (db) =>
        db.query(`insert into contacts (name, email, interest) values ('N', '${sent}@example.com', 'consulting')`),
      );
    }
  })();
  while (sent < 5) await new Promise(setImmediate);
  const tables = await tablesOf({ owner });
  isOver = true;
  await sending;
  // A contact and its job are stored together. The jobs are copied first.
  const rowsOf = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0;
  expect(rowsOf("public.contacts")).toBe(rowsOf("private.jobs"));
  expect(rowsOf("public.contacts")).toBeGreaterThanOrEqual(5);
  expect(sent).toBeGreaterThan(rowsOf("public.contacts"));
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
  const source = await emptyDatabase(createDatabase);
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

  const alone = await run(runRestore, [path], at(await emptyDatabase()));
  expect(alone).toMatchObject({ code: 0, err: "" });
  expect(alone.out).toContain('Not restored, because no migration makes it: public."Orders".');
  const prepared = await emptyDatabase(createDatabase);
  await prepared.owner.query(operators);
  const backup = await openBackup(path);
  await restoreBackup(prepared.owner, backup).finally(() => backup.close());
  expect((await tablesOf(prepared)).slice(-6)).toEqual(tables.slice(-6));
  const next = `insert into public."Orders" default values returning id`;
  expect((await prepared.owner.query(next)).rows).toEqual([{ id: 3 }]);
});

test("a backup that cannot be read back fails and is removed", async () => {
  const path = join(folder, "unreadable.zip");
  const damage = async (doing: string) => {
    if (!doing.startsWith("Reading")) return;
    const [unfinished = ""] = (await readdir(folder)).filter((name) => name.startsWith("unreadable.zip.unfinished"));
    const written = join(folder, unfinished);
    const bytes = await readFile(written);
    await writeFile(written, bytes.fill(0, bytes.length / 10, bytes.length / 2));
  };
  const writing = writeBackup(server.database.owner, path, { progress: damage });
  await expect(writing).rejects.toThrow(/^The backup could not be read back, so nothing of it is kept: [^\n]+\.$/);
  expect((await readdir(folder)).filter((name) => name.startsWith("unreadable"))).toEqual([]);
});

test("a backup removes what one that was killed has left beside it", async () => {
  const left = "backup-2020-02-02T02-02-02Z.zip.unfinished-1";
  await writeFile(join(folder, left), "");
  await utimes(join(folder, left), 0, 0);
  await tablesOf(server.database);
  expect(await readdir(folder)).not.toContain(left);
});

test("a migration during a backup makes it fail, because the migration may have emptied a table before it was read", async () => {
  const { owner } = await emptyDatabase(createDatabase);
  await owner.query("insert into contacts (name, email, interest) values ('N', 'n@example.com', 'consulting')");
  let migrated: Promise<unknown> | undefined;
  const progress = () => {
    migrated ??= owner.query(
      `alter table contacts add extra uuid default gen_random_uuid();
       insert into supabase_migrations.schema_migrations (version) values ('29990101000000')`,
    );
    return migrated;
  };
  const path = join(folder, "migrated.zip");
  await expect(writeBackup(owner, path, { progress })).rejects.toThrow(/^The database was migrated during the backup/);
  expect(await readdir(folder)).not.toContain("migrated.zip");
});

test("a file that is torn, changed or something else is refused", async () => {
  const bytes = await readFile(file);
  const broken = join(folder, "broken.zip");
  const read = async (content: Uint8Array) => {
    await writeFile(broken, content);
    return contentOf(broken).catch((error: unknown) => error);
  };
  const whole = await contentOf(file);
  for (const length of [0, 1, 100, bytes.length / 2, bytes.length - 30, bytes.length - 1]) {
    expect(await read(bytes.subarray(0, length))).toBeInstanceOf(StartError);
  }
  let refused = 0;
  for (let position = 0; position < bytes.length; position += 211) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ (1 << (position % 8));
    const result = await read(changed);
    if (result instanceof StartError) refused += 1;
    // The time and the permissions of a ZIP entry do not affect the rows.
    else expect(result).toEqual(whole);
  }
  expect(refused).toBeGreaterThan(20);

  const check = await run(runBackup, ["--check", file]);
  expect(check).toMatchObject({ code: 0, out: expect.stringContaining("is complete") });
  await writeFile(broken, "Not a ZIP at all");
  for (const [command, args] of [
    [runBackup, ["--check", broken]],
    [runRestore, [broken]],
  ] as const) {
    const { err } = await run(command, args, { DATA_DIR: join(folder, "data") });
    expect(err).toMatch(/^\S+broken\.zip is not a complete backup: [^\n]*[^.\n]\. Use another one\.$/);
  }
  expect(await readdir(folder)).not.toContain("data");
  // Reading a named pipe would never end, and a device is no file either.
  expect((await run(runBackup, ["--check", "/dev/null"])).err).toBe("/dev/null is not a file.");
});

async function fileWith(manifest: object): Promise<string> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), "manifest.json");
  zip.end();
  const path = join(folder, "foreign.zip");
  await writeFile(path, zip.outputStream);
  return path;
}

test("a file of another format is refused in one sentence", async () => {
  const { err } = await run(runBackup, ["--check", await fileWith({ ...original, version: 1 })]);
  expect(err).toBe("The backup has format 1, and this code reads format 2: use the code that wrote it.");
});

test("what a foreign file says of itself reaches the terminal without its control characters", async () => {
  const foreign = await fileWith({ ...original, tables: [], postgres: "18\u009b2J\u202e" });
  const { stdout } = spawnSync(process.execPath, ["operations/commands/backup.ts", "--check", foreign], {
    encoding: "utf8",
  });
  expect(stdout).toMatch(/ is complete: .* in PostgreSQL 18\\u009b2J\\u202e\.\n$/);
});

test("rows that differ from the file are rolled back", async () => {
  const database = await emptyDatabase(createDatabase);
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

  const newer = await emptyDatabase(createDatabase);
  await newer.owner.query("insert into supabase_migrations.server_migrations (version) values ('9999')");
  expect(await refused(newer)).toMatch(/^The database has the migration 9999, which the backup does not have: [^\n]+$/);

  const hosted = await emptyDatabase();
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
  onTestFinished(() => other.stop());
  expect((await run(runRestore, [file], at(other.database))).err).toBe(refusal);

  const database = await emptyDatabase(createDatabase);
  const { owner } = database;
  const restored = run(runRestore, [file], at(database));
  const lockOfMigrations = `select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  while ((await owner.query(lockOfMigrations)).rowCount === 0) await pause(5);
  // The server starts during the check, after its first look.
  await pause(200);
  const queue = startQueue({ owner, log: silentLog, tasks: {} });
  onTestFinished(() => queue.stop());
  expect((await restored).err).toBe(refusal);
});

test("a backup from newer code is refused, one from older code is migrated after the restore", async () => {
  const older = await emptyDatabase();
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

  const database = await emptyDatabase();
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
  expect((await run(runRestore, [newer], at(await emptyDatabase()))).err).toMatch(
    /^The backup has the migration 29990101000000, which this code does not have: [^\n]+$/,
  );
});

test("a backup from before the first release fills a new database", async () => {
  const former = await emptyDatabase();
  // The last files of the code before the first release made the same tables as these.
  const { schema_migrations: all, ...others } = original.migrations;
  const only = { ...others, schema_migrations: all.filter((version) => version < "202611250108") };
  await migrate(former.owner, silentLog, { only });
  await former.owner.query(`insert into contacts (name, email, interest) values ('Old', 'o@example.com', 'consulting');
    create table private.former (id integer); delete from supabase_migrations.schema_migrations;
    insert into supabase_migrations.schema_migrations (version) values ('20261121020000');
    insert into supabase_migrations.bootstrap (version) values ('0015')`);
  const path = join(folder, "former.zip");
  expect((await run(runBackup, [path], at(former))).code).toBe(0);

  const database = await emptyDatabase();
  const { code, err, out } = await run(runRestore, [path], at(database));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Not restored, because no migration makes it: private.former.");
  expect((await database.owner.query("select name from contacts")).rows).toEqual([{ name: "Old" }]);
});

test("the owner of the tables needs no other right to back up and to restore", async () => {
  const user = `plain_${randomBytes(4).toString("hex")}`;
  await server.database.owner.query(`create role ${user} login password 'plain'`);
  onTestFinished(async () => void (await server.database.owner.query(`drop role ${user}`)));
  const database = await emptyDatabase(createDatabase);
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

test("contacts alone join those of a hosted project: unchanged, not announced, and once", async () => {
  const hosted = await emptyDatabase();
  await hosted.owner.query(hostedSchema);
  await migrate(hosted.owner, silentLog);
  // What the project's operator has set stays.
  await hosted.owner.query(`
    create trigger "off" after insert on contacts for each row execute function suppress_redundant_updates_trigger();
    alter table contacts disable trigger "off"`);
  const triggersOf = "select tgname, tgenabled from pg_trigger where tgrelid = 'contacts'::regclass order by tgname";
  const { rows: triggers } = await hosted.owner.query(triggersOf);
  expect((await run(runRestore, [file, "--contacts-only"], at(hosted))).out).toMatch(/^Added 5 contacts /);
  expect((await hosted.owner.query(triggersOf)).rows).toEqual(triggers);
  const contacts = "select * from contacts order by id";
  const [moved, kept] = await Promise.all(
    [hosted, server.database].map(async ({ owner }) => (await owner.query(contacts)).rows),
  );
  expect(moved).toEqual(kept);
  const { rows } = await hosted.owner.query("select revision::int from private.contact_revision");
  expect(rows).toEqual([{ revision: 1 }]);

  // A second run, as after an interrupted one, adds only what is missing.
  await hosted.owner.query("delete from contacts where name = 'A'");
  const again = await run(runRestore, [file, "--contacts-only"], at(hosted));
  expect(again.out).toMatch(/^Added 1 contacts .* already, accounts and roles stay as they were/);
  expect((await hosted.owner.query(contacts)).rows).toEqual(kept);

  // A backup of a hosted project has no accounts, so its restore needs --contacts-only.
  const back = join(folder, "hosted.zip");
  expect((await run(runBackup, [back], at(hosted))).code).toBe(0);
  const own = await emptyDatabase(createDatabase);
  expect((await run(runRestore, [back], at(own))).err).toMatch(/^The backup is of a hosted project[^\n]+$/);
  expect((await run(runRestore, [back, "--contacts-only"], at(own))).code).toBe(0);
  expect((await own.owner.query(contacts)).rows).toEqual(kept);
  expect((await own.owner.query("select from private.jobs")).rowCount).toBe(0);
});

test("a visitor's contact is answered and announced while contacts are restored into a database in use", async () => {
  const source = await emptyDatabase(createDatabase);
  await source.owner.query(`alter table contacts disable trigger user;
    insert into contacts (name, email, interest, note)
      select 'N', n || '@example.com', 'consulting', repeat('note ', 30) from generate_series(1, 1000) n`);
  const path = join(folder, "many.zip");
  await writeBackup(source.owner, path);
  const backup = await openBackup(path);
  onTestFinished(() => backup.close());

  const database = await emptyDatabase(createDatabase);
  const { owner } = database;
  const events: string[] = [];
  let sending: Promise<unknown> | undefined;
  const progress = () => {
    sending ??= database
      .as(visitor, (db) =>
        db.query("insert into contacts (name, email, interest) values ('New', 'new@example.com', 'consulting')"),
      )
      .then(() => events.push("answered"));
    return sending;
  };
  expect(await restoreContacts(owner, backup, { progress })).toBe(1000);
  events.push("restored");
  await sending;
  expect(events).toEqual(["answered", "restored"]);
  const { rows } = await owner.query(
    "select (select count(*)::int from contacts) as contacts, (select count(*)::int from private.jobs) as jobs",
  );
  expect(rows).toEqual([{ contacts: 1001, jobs: 1 }]);
});

test("a column that only the backup or only the database has is named", async () => {
  const source = await emptyDatabase(createDatabase);
  await source.owner.query("alter table contacts add phone text");
  const path = join(folder, "phone.zip");
  await writeBackup(source.owner, path);
  expect((await run(runRestore, [path], at(await emptyDatabase()))).err).toBe(
    "Backup and database differ in public.contacts (phone): restore into a database with the same tables and columns.",
  );
  expect((await run(runRestore, [path, "--contacts-only"], at(await emptyDatabase(createDatabase)))).err).toBe(
    "The database lacks columns of the backup's contacts: phone. Update it or add them first.",
  );
});

test("what stands in the way is told in a sentence, and no file is left", async () => {
  const before = await readdir(folder);
  const sentence = async (args: string[], environment = at(server.database)) =>
    (await run(runBackup, args, environment)).err;
  expect(await sentence([file])).toBe(`${file} already exists, and nothing is overwritten.`);
  expect(await sentence([join(folder, "none", "site.zip")])).toMatch(
    /^No backup can be written into .*none: it does not exist\.$/,
  );
  expect(await sentence([join(folder, "new.zip")], { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" })).toMatch(
    /^The PostgreSQL of DATABASE_URL cannot be used: [^\n]+$/,
  );
  const empty = await emptyDatabase();
  expect(await sentence([join(folder, "new.zip")], at(empty))).toMatch(/^There is no site database in [^\n]+$/);
  const appearing = join(folder, "appearing.zip");
  const late = writeBackup(server.database.owner, appearing, { progress: () => writeFile(appearing, "another's") });
  await expect(late).rejects.toThrow("already exists");
  expect(await readFile(appearing, "utf8")).toBe("another's");
  await rm(appearing);
  const stop = new AbortController();
  const abandoned = writeBackup(server.database.owner, join(folder, "new.zip"), {
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  await expect(abandoned).rejects.toThrow("abort");
  expect(await readdir(folder)).toEqual(before);
});
