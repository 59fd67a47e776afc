import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { runRestore } from "#operations/commands/backup/run-restore";
import { startAuth } from "#tests/support/auth-server";
import { createEmptyDatabase } from "#tests/support/database";

// A version restores the backups of its major number and of the one before (CHANGELOG.md). Each file was written by the
// version that it is named after, and has a row in nearly every table (tests/support/lived-in-account.ts).
const backups = readdirSync("tests/fixtures/backups");

test.each(backups)("the backup %s is restored, and its account signs in", async (name) => {
  const database = await createEmptyDatabase();
  const errors: unknown[] = [];
  const code = await runRestore([`tests/fixtures/backups/${name}`], {
    environment: { DATABASE_URL: database.url },
    print: () => {},
    printNote: () => {},
    printError: (error) => errors.push(error),
  });
  const server = code === 0 ? await startAuth({ database }) : undefined;
  onTestFinished(() => (server ? server.stop() : database.drop()));
  expect({ code, errors }).toEqual({ code: 0, errors: [] });

  const words = { email: "quokka@example.com", password: "more feathers" };
  expect(await server?.client().auth.signInWithPassword(words)).toMatchObject({
    error: null,
    data: { user: { factors: [{ friendly_name: "Phone", status: "verified" }] } },
  });

  const { rows } = await database.owner.query(
    'select name, state, note, referrer, spam_reason from contacts order by name collate "C"',
  );
  const contact = { state: "new", note: "", referrer: "", spam_reason: null };
  expect(rows).toEqual([
    { ...contact, name: "A", state: "handled", note: "Call back", referrer: "news.example" },
    { ...contact, name: "B", state: "archived" },
    { ...contact, name: "C", state: "spam", spam_reason: "Too many" },
    { ...contact, name: "Other", note: "Knows QUOKKA@EXAMPLE.COM, and not.quokka@example.com too." },
    { ...contact, name: "quokka" },
  ]);
});
