import type { ClientBase } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { connectionsMax } from "#backend/database/connections";
import { createDatabase } from "#tests/support/database";
import { checkDatabase, type DatabaseFacts, describeDatabase, readFacts } from "./database-checks.ts";

const sound = (): DatabaseFacts => ({
  version: "18.4",
  major: 18,
  now: new Date(),
  encoding: "UTF8",
  unsafe: [],
  is_standby: false,
  short_sequences: [],
  has_trgm: true,
  has_contacts: true,
  is_hosted: false,
  owner: "fernway",
  is_superuser: false,
  owns_contacts: true,
  missing_roles: [],
  strong_roles: [],
  is_open_to_all: false,
  connections_ours: 0,
  synchronous: { standby_names: "", commit: "on" },
  standbys: [],
  server_address: "10.0.0.1",
  host: "db.heron.com",
  encryption: "checked",
});

const quorum = { standby_names: 'ANY 1 (db2,"db-3")', commit: "on" };
const standbys = ["db2", "db-3"].map((name) => ({ name, bytes_behind: 0 }));

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
  expect(problemsOf({ major: 15 })).toEqual([]);
});

test("the connections that a database lets in are counted, not those that PostgreSQL has", async () => {
  const wanted = Object.values(connectionsMax).reduce((sum, max) => sum + max);
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const check = async () => {
    const findings = await checkDatabase({ ...database, isCopy: false }, { isOwn: true });
    return findings.find(({ saw }) => saw.includes(" connections "));
  };
  expect(await check()).toMatchObject({ level: "ok", saw: expect.stringContaining(`${wanted} connections`) });
  await database.owner.query(`alter database ${new URL(database.url).pathname.slice(1)} connection limit 15`);
  expect(await check()).toMatchObject({ level: "look", saw: expect.stringMatching(/^Only [12]\d connections/) });
});

test.each<[Partial<DatabaseFacts>, RegExp]>([
  [{ major: 14, version: "14.9" }, /^BROKEN PostgreSQL is version 14\.9; 15 to 18 are supported\.$/],
  [{ major: 19, version: "19.0" }, /^BROKEN PostgreSQL is version 19\.0/],
  [{ unsafe: ["fsync"] }, /^BROKEN fsync is off, so a power cut can lose contacts/],
  [{ encoding: "LATIN1" }, /^BROKEN The database is encoded in LATIN1/],
  [{ is_standby: true }, /^BROKEN This PostgreSQL is a standby/],
  [{ has_trgm: false }, /^look The extension pg_trgm is missing/],
  [{ encryption: "none" }, /^BROKEN The connection to the database on db\.heron\.com is not encrypted/],
  [{ encryption: "unchecked" }, /^look The connection to the database is encrypted, and nothing checks/],
  [{ missing_roles: ["anon"] }, /^BROKEN Missing roles: anon\.$/],
  [{ strong_roles: ["authenticator"] }, /^BROKEN authenticator may do more than a caller needs/],
  [{ is_open_to_all: true }, /^BROKEN Every login of this PostgreSQL may enter the database/],
  [{ owns_contacts: false }, /^BROKEN The user fernway of DATABASE_URL does not own the tables\.$/],
  [{ is_superuser: true }, /^look The server's login fernway is a superuser/],
  [{ standbys }, /^look The primary is 10\.0\.0\.1, with 2 standbys, and a commit waits for none/],
  [{ synchronous: { ...quorum, commit: "local" }, standbys }, /^look .* a commit waits for none/],
  [{ synchronous: quorum, standbys: standbys.slice(1) }, /^look .* with one standby: db2 does not follow it\.$/],
  [{ synchronous: quorum, standbys: [{ name: "db2", bytes_behind: 2e7 }, ...standbys.slice(1)] }, /^look db2 is more/],
  [{ synchronous: quorum, standbys: [{ name: "db2", bytes_behind: null }, ...standbys.slice(1)] }, /^look .* how far/],
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
  expect(await readFacts(connected(host, ssl, encrypted), "authenticator")).toMatchObject({ host, encryption });
});

test("behind a proxy of a cluster, the connection to PostgreSQL on another machine counts", async () => {
  const facts = { ...sound(), standbys };
  expect(await readFacts(connected("127.0.0.1", false, false, facts), "authenticator")).toMatchObject({
    encryption: "none",
  });
  const ofThisMachine = { ...facts, server_address: "127.0.0.1" };
  expect(await readFacts(connected("127.0.0.1", false, false, ofThisMachine), "authenticator")).toMatchObject({
    encryption: "local",
  });
});
