import { expect, test } from "vitest";
import { linesOf } from "#tests/support/findings";
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
  synchronous: { standby_names: "", commit: "on" },
  standbys: [],
  server_address: "10.0.0.1",
});

const migrated = { isHosted: false, missing: [], unknown: [], edited: [] };
const quorum = { standby_names: 'ANY 1 (db2,"db-3")', commit: "on" };
const standbys = ["db2", "db-3"];

/** What is not ok, in lines. */
function problemsOf(change: Partial<DatabaseFacts>): string[] {
  const facts = { ...sound(), ...change };
  return linesOf(describeDatabase(facts, migrated, { host: "/run/postgresql" })).filter(
    (line) => !line.startsWith("ok"),
  );
}

test("a sound database has no problem", () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ synchronous: quorum, standbys })).toEqual([]);
});

test.each<[Partial<DatabaseFacts>, RegExp]>([
  [{ unsafe: ["fsync"] }, /^BROKEN fsync is off, so a power cut can lose contacts/],
  [{ strong_roles: ["authenticator"] }, /^BROKEN authenticator may do more than a caller needs/],
  [{ is_open_to_all: true }, /^BROKEN Every login of this PostgreSQL may enter the database/],
  [{ is_superuser: true }, /^look The server's login fernway is a superuser/],
  [{ standbys }, /^look The primary is 10\.0\.0\.1, with 2 standbys, and a commit waits for none/],
  [{ synchronous: { ...quorum, commit: "local" }, standbys }, /^look .* a commit waits for none/],
  [{ synchronous: quorum, standbys: standbys.slice(1) }, /^look .* with one standby: db2 does not follow it\.$/],
  [{ now: new Date(Date.now() - 60_000) }, /^BROKEN The clocks of this machine and the database differ by \d+ seconds/],
])("%j is told", (change, line) => {
  expect(problemsOf(change)).toEqual([expect.stringMatching(line)]);
});

test.each([
  [{ host: "/run/postgresql" }, {}, "ok The database is on this machine."],
  [{ host: "127.0.0.1", ssl: false }, {}, "ok The database is on this machine."],
  [{ host: "db.heron.com", ssl: {} }, {}, "ok The connection to the database is encrypted."],
  [
    { host: "db.heron.com" },
    {},
    expect.stringMatching(/^BROKEN The connection to the database on db\.heron\.com is not/),
  ],
  // Behind a proxy of a cluster, the connection to PostgreSQL on another machine counts.
  [
    { host: "127.0.0.1" },
    { standbys },
    expect.stringMatching(/^BROKEN The connection to the database on 127\.0\.0\.1/),
  ],
  [{ host: "127.0.0.1" }, { standbys, server_address: "127.0.0.1" }, "ok The database is on this machine."],
])("of the connection %j with %j is told whether it is encrypted", (connection, change, line) => {
  expect(linesOf(describeDatabase({ ...sound(), ...change }, migrated, connection))).toContainEqual(line);
});
