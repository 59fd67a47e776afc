import { expect, test } from "vitest";
import { type DatabaseFacts, describeDatabase } from "./database-checks.ts";

const sound = (): DatabaseFacts => ({
  version: "18.4",
  now: new Date(),
  unsafe: [],
  has_contacts: true,
  owner: "fernway",
  is_superuser: false,
  strong_roles: [],
  is_open_to_all: false,
});

const migrated = { isHosted: false, missing: [], unknown: [], edited: [] };
/** What is not ok, in lines. */
function problemsOf(change: Partial<DatabaseFacts>): string[] {
  const facts = { ...sound(), ...change };
  return describeDatabase(facts, migrated, { host: "/run/postgresql" })
    .filter(({ level }) => level !== "ok")
    .map(({ level, saw }) => `${level} ${saw}`);
}

test("a sound database has no problem", () => {
  expect(problemsOf({})).toEqual([]);
});

test.each<[Partial<DatabaseFacts>, RegExp]>([
  [{ unsafe: ["fsync"] }, /^BROKEN fsync is off, so a power cut can lose contacts/],
  [{ strong_roles: ["authenticator"] }, /^BROKEN authenticator may do more than a caller needs/],
  [{ is_open_to_all: true }, /^BROKEN Every login of this PostgreSQL may enter the database/],
  [{ is_superuser: true }, /^look The server's login fernway is a superuser/],
  [{ now: new Date(Date.now() - 60_000) }, /^BROKEN The clocks of this machine and the database differ by \d+ seconds/],
])("%j is told", (change, line) => {
  expect(problemsOf(change)).toEqual([expect.stringMatching(line)]);
});

test.each([
  [{ host: "/run/postgresql" }, "ok The database is on this machine."],
  [{ host: "127.0.0.1", ssl: false }, "ok The database is on this machine."],
  [{ host: "db.heron.com", ssl: {} }, "ok The connection to the database is encrypted."],
  [{ host: "db.heron.com" }, expect.stringMatching(/^BROKEN The connection to the database on db\.heron\.com is not/)],
])("of the connection %j is told whether it is encrypted", (connection, line) => {
  const findings = describeDatabase(sound(), migrated, connection);
  expect(findings.map(({ level, saw }) => `${level} ${saw}`)).toContainEqual(line);
});
