import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { runRestore } from "#server/cli/backup/run-restore";
import { startAuth } from "#tests/support/auth-server";
import { createEmptyDatabase } from "#tests/support/database";

// A version restores the backups of its major number and of the one before (CHANGELOG.md). Each file was written by the
// version that it is named after, and has a row in nearly every table (tests/support/lived-in-account.ts).
test.each(readdirSync("tests/fixtures/backups"))(
  "the backup %s is restored, and its account signs in",
  async (name) => {
    const database = await createEmptyDatabase();
    const errors: unknown[] = [];
    const code = await runRestore([`tests/fixtures/backups/${name}`], {
      environment: { DATABASE_URL: database.url },
      print: () => {},
      printNote: () => {},
      printError: (error) => errors.push(error),
    });
    expect({ code, errors }).toEqual({ code: 0, errors: [] });

    const server = await startAuth({ database });
    try {
      const { data, error } = await server
        .client()
        .auth.signInWithPassword({ email: "quokka@example.com", password: "more feathers" });
      expect(error).toBeNull();
      expect(data.user?.factors).toMatchObject([{ friendly_name: "Phone", status: "verified" }]);

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
    } finally {
      await server.stop();
    }
  },
);
