import { expect, inject, test, vi } from "vitest";
import { StartError } from "#process/start-error";
import { openDatabase } from "#server/database";
import { copyDataDir } from "#tests/support/data-dir";
import { createEmptyDatabase, hostedSchema, visitor } from "#tests/support/database";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { asCaller } from "./as-caller.ts";
import { embeddedConnection } from "./embedded/embedded-postgres.ts";

const send = "insert into contacts (name, email, interest) values ('Ada', 'ada@example.com', 'consulting')";

test("openDatabase starts the embedded database, and close stops it", async () => {
  const dataDir = await temporaryFolder();
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const database = await openDatabase({ dataDir }, silentLog);
  await asCaller(database.caller, visitor, (db) => db.query(send));
  // It is closed twice here, because a failed start and a stop may both close it.
  await Promise.all([database.close(), database.close()]);
  await expect(embeddedConnection(dataDir)).rejects.toThrow(StartError);
});

test("an unreachable DATABASE_URL is reported in one sentence without the password", async () => {
  const opening = openDatabase(
    { databaseUrl: "postgres://owner:secret@127.0.0.1:1/site", dataDir: "unused" },
    silentLog,
  );
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(/^The PostgreSQL of DATABASE_URL cannot be used: (?!.*secret)/);
});

test("a start waits for a PostgreSQL that is away, but not after a wrong password", async () => {
  const { user, host, port } = inject("postgres");
  const databaseUrl = `postgres://${user}:wrong@${encodeURIComponent(host)}:${port}/postgres`;
  const whenAway = vi.fn();
  await expect(openDatabase({ databaseUrl, dataDir: "unused" }, silentLog, { whenAway })).rejects.toThrow(
    /^The PostgreSQL of DATABASE_URL cannot be used: password authentication failed/,
  );
  expect(whenAway).not.toHaveBeenCalled();
});

test("a server refuses the database of a hosted project in one sentence and changes nothing in it", async () => {
  const hosted = await createEmptyDatabase();
  await hosted.owner.query(hostedSchema);
  const schemas = async () => (await hosted.owner.query("select nspname from pg_namespace order by 1")).rows;
  const before = await schemas();
  const opening = () => openDatabase({ databaseUrl: hosted.url, dataDir: "unused" }, silentLog, { refuseHosted: true });
  await expect(opening()).rejects.toThrow(StartError);
  expect(await schemas()).toEqual(before);

  // A command of an operator migrates the project. Afterwards the project is still refused.
  await (await openDatabase({ databaseUrl: hosted.url, dataDir: "unused" }, silentLog)).close();
  await expect(opening()).rejects.toThrow(
    /^DATABASE_URL leads to the database of a Supabase project, .*PUBLIC_SUPABASE_URL/,
  );
});

test("a user of DATABASE_URL who lacks a right is reported in one sentence without the password", async () => {
  const operator = await createEmptyDatabase();
  await operator.owner.query("create role clerk login password 'paper'");
  const url = new URL(operator.url);
  url.username = "clerk";
  url.password = "paper";
  const opening = openDatabase({ databaseUrl: url.href, dataDir: "unused" }, silentLog);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(
    /^The user of DATABASE_URL must own the database, (?!.*paper).*permission denied.*npm run admin -- database-setup/,
  );
  await operator.owner.query("drop role clerk");
});
