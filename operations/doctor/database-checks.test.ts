import type { ClientBase } from "pg";
import { expect, test } from "vitest";
import { type DatabaseFacts, describeDatabase, readFacts } from "./database-checks.ts";

const sound = (): DatabaseFacts => ({
  version: "18.4",
  now: new Date(),
  unsafe: [],
  has_contacts: true,
  is_hosted: false,
  owner: "fernway",
  is_superuser: false,
  strong_roles: [],
  is_open_to_all: false,
  synchronous: { standby_names: "", commit: "on" },
  standbys: [],
  server_address: "10.0.0.1",
  host: "db.heron.com",
  encryption: "checked",
});

const quorum = { standby_names: 'ANY 1 (db2,"db-3")', commit: "on" };
const standbys = ["db2", "db-3"];

/** What is not ok, in lines. */
function problemsOf(change: Partial<DatabaseFacts>): string[] {
  const facts = { ...sound(), ...change };
  const drift = { missing: [], unknown: [], edited: [] };
  return describeDatabase(facts, drift, { isOwn: true })
    .filter(({ level }) => level !== "ok")
    .map(({ level, saw }) => `${level} ${saw}`);
}

test("a sound database has no problem", () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ synchronous: quorum, standbys })).toEqual([]);
});

test.each<[Partial<DatabaseFacts>, RegExp]>([
  [{ unsafe: ["fsync"] }, /^BROKEN fsync is off, so a power cut can lose contacts/],
  [{ encryption: "none" }, /^BROKEN The connection to the database on db\.heron\.com is not encrypted/],
  [{ encryption: "unchecked" }, /^look The connection to the database is encrypted, and nothing checks/],
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

/** What `readFacts` reads of a connected client. Tests have no PostgreSQL on another machine. */
const connected = (host: string, ssl: unknown, encrypted: boolean, facts = sound()) =>
  ({
    host,
    ssl,
    connection: { stream: { encrypted } },
    query: async () => ({ rows: [facts] }),
  }) as unknown as ClientBase;

test.each([
  ["/run/postgresql", undefined, false, "local"],
  ["127.0.0.1", undefined, false, "local"],
  ["db.heron.com", false, false, "none"],
  ["db.heron.com", { rejectUnauthorized: false }, true, "unchecked"],
  ["db.heron.com", {}, true, "checked"],
  ["db.heron.com", true, true, "checked"],
])("the connection to %s with ssl %j, encrypted: %j, is %s", async (host, ssl, encrypted, encryption) => {
  expect(await readFacts(connected(host, ssl, encrypted))).toMatchObject({ host, encryption });
});

test("behind a proxy of a cluster, the connection to PostgreSQL on another machine counts", async () => {
  const facts = { ...sound(), standbys };
  expect(await readFacts(connected("127.0.0.1", false, false, facts))).toMatchObject({
    encryption: "none",
  });
  const ofThisMachine = { ...facts, server_address: "127.0.0.1" };
  expect(await readFacts(connected("127.0.0.1", false, false, ofThisMachine))).toMatchObject({
    encryption: "local",
  });
});
