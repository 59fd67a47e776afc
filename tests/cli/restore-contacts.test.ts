import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openBackup } from "#operations/backup/read-backup";
import { restoreContacts } from "#operations/backup/restore-contacts";
import { writeBackup } from "#operations/backup/write-backup";
import { runBackup } from "#operations/commands/backup/run-backup";
import { runRestore } from "#operations/commands/backup/run-restore";
import { migrate } from "#server/database";
import { at, createBackupFixture, run } from "#tests/support/backup-fixture";
import { createDatabase, createEmptyDatabase, hostedSchema, visitor } from "#tests/support/database";
import { silentLog } from "#tests/support/silent-log";

const { server, folder, file } = await createBackupFixture();

test("contacts alone join those of a hosted project: unchanged, not announced, and once", async () => {
  const hosted = await createEmptyDatabase();
  await hosted.owner.query(hostedSchema);
  await migrate(hosted.owner, silentLog);
  // What the project's operator has set stays.
  await hosted.owner.query(`
    create trigger "off" after insert on contacts for each row execute function suppress_redundant_updates_trigger();
    alter table contacts disable trigger "off"`);
  const triggersOf = "select tgname, tgenabled from pg_trigger where tgrelid = 'contacts'::regclass order by tgname";
  const { rows: triggers } = await hosted.owner.query(triggersOf);
  expect((await run(runRestore, [file, "--contacts-only"], at(hosted))).out).toMatch(/^Added 6 contacts /);
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
  const own = await createDatabase();
  expect((await run(runRestore, [back], at(own))).err).toMatch(/^The backup is of a hosted project[^\n]+$/);
  expect((await run(runRestore, [back, "--contacts-only"], at(own))).code).toBe(0);
  expect((await own.owner.query(contacts)).rows).toEqual(kept);
  expect((await own.owner.query("select from private.jobs")).rowCount).toBe(0);
});

test("a visitor's contact is answered and announced while contacts are restored into a database in use", async () => {
  const source = await createDatabase();
  await source.owner.query(`alter table contacts disable trigger user;
    insert into contacts (name, email, interest, note)
      select 'N', n || '@example.com', 'consulting', repeat('note ', 30) from generate_series(1, 1000) n`);
  const path = join(folder, "many.zip");
  await writeBackup(source.owner, path);
  const backup = await openBackup(path);
  onTestFinished(() => backup.close());

  const database = await createDatabase();
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

test("a file with a line at which COPY ends is refused, and its rows are not left out silently", async () => {
  const backup = await openBackup(file);
  onTestFinished(() => backup.close());
  const contacts = backup.manifest.tables.find(({ name }) => name === "public.contacts");
  if (!contacts) throw new Error("There are no contacts.");
  const [first = "", ...others] = (await text(await backup.read(contacts))).split(/(?<=\n)/);
  const hostile = { ...backup, read: async () => Readable.from([Buffer.from([first, "\\.\n", ...others].join(""))]) };
  const { owner } = await createDatabase();
  await expect(restoreContacts(owner, hostile)).rejects.toThrow(/^Only 0 contacts were added .* no backup writes/);
  expect((await owner.query("select from contacts")).rowCount).toBe(0);
});
