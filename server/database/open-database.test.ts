import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StartError } from "#server/start-error";
import { createEmptyDatabase, visitor } from "#tests/support/database";
import { silent } from "#tests/support/silent";
import { asCaller } from "./as-caller.ts";
import { embeddedConnection } from "./embedded/embedded-postgres.ts";
import { openDatabase } from "./open-database.ts";

const send = "insert into contacts (name, email, interest) values ('Ada', 'ada@example.com', 'consulting')";

test("openDatabase migrates the embedded database, and close stops the embedded database", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "database-"));
  const database = await openDatabase({ dataDir }, silent);
  await asCaller(database.caller, visitor, (db) => db.query(send));
  // It is closed twice here, because a failed start and a stop may both close it.
  await Promise.all([database.close(), database.close()]);
  await expect(embeddedConnection(dataDir)).rejects.toThrow(StartError);
  await rm(dataDir, { recursive: true });
});

test("two servers can share the database of DATABASE_URL", async () => {
  const operator = await createEmptyDatabase();
  const settings = { databaseUrl: operator.url, dataDir: "unused" };
  const [one, two] = await Promise.all([openDatabase(settings, silent), openDatabase(settings, silent)]);

  await asCaller(one.caller, visitor, (db) => db.query(send));
  expect((await two.owner.query("select name from contacts")).rows).toEqual([{ name: "Ada" }]);
  await Promise.all([one.close(), two.close()]);
  await operator.drop();
});

test("an unreachable DATABASE_URL is reported in one sentence without the password", async () => {
  const settings = { databaseUrl: "postgres://owner:secret@127.0.0.1:1/site", dataDir: "unused" };
  const opening = openDatabase(settings, silent);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(/^The PostgreSQL of DATABASE_URL cannot be used: (?!.*secret)/);
});
