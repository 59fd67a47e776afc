import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, createUser, service, visitor } from "../support/database.ts";

const database = await createDatabase();
const admin = await createUser(database, { admin: true });
const member = await createUser(database);
const denied = { code: "42501", message: "You do not have permission to view contacts." };
afterAll(() => database.drop());

/** Newest first. The two of the same minute are ordered by id. */
const contacts = [
  { id: 1, name: "Ada O'Brien", company: "Heron & Söhne", email: "ada@heron.example", state: "new" },
  { id: 2, name: "Émile Bô", company: "", email: "emile@x.org", state: "handled" },
  { id: 3, name: "Grace", company: "100% Wool_Works", email: "grace@x.org", state: "spam" },
  { id: 4, name: "Grace", company: "100 Wool-Works", email: "o'grace@x.org", state: "archived" },
  { id: 5, name: "Ida Heron", company: "ACME\\Co", email: "ida@x.org", state: "new" },
];

beforeAll(async () => {
  for (const { id, name, company, email, state } of contacts)
    await database.owner.query(
      `insert into contacts (id, name, company, email, interest, state, submitted_at)
       values ($1, $2, $3, $4, $5, $6, '2026-03-01T12:00:00Z'::timestamptz - make_interval(mins => $7))`,
      [idOf(id), name, company, email, id === 2 ? "partnerships" : "consulting", state, id === 4 ? 3 : id],
    );
});

test.each([
  ["", [1, 2, 3, 4, 5]],
  [" \u00a0 ", [1, 2, 3, 4, 5]],
  ["heron", [1, 5]],
  ["HERON söhne", [1]],
  ["x.org IDA", [5]],
  ["émILE bÔ", [2]],
  ["o'brien", [1]],
  ["o'grace@x", [4]],
  ["%", [3]],
  ["100%", [3]],
  ["l_w", [3]],
  ["acme\\co", [5]],
  ["heron grace", []],
  ["ada\nheron", [1]],
])("a search for %j finds the contacts in which every word occurs literally", async (search, found) => {
  expect(await find(search)).toEqual(found);
  expect(await count(search)).toEqual({ contacts: `${found.length}`, is_estimate: false });
});

test("a search finds letters with and without their accents", async () => {
  const names = ["Jürgen Müller", "Bjorn Straße", "Łódź Ærø", "O\u2019Connor \ufb01n", "Ιησούς", "Nguye\u0302\u0303n"];
  for (const name of names) {
    const word = `word${names.indexOf(name)}@accents.example`;
    await database.owner.query("insert into contacts (name, email, interest) values ($1, $2, 'consulting')", [
      name,
      word,
    ]);
  }
  for (const [searches, email] of [
    [["muller", "MÜLLER jurgen", "mu\u0308ller"], "word0@accents.example"],
    [["björn", "strasse", "STRASSE", "straße"], "word1@accents.example"],
    [["lodz", "łódź", "aero", "ærø"], "word2@accents.example"],
    [["fin"], "word3@accents.example"],
    [["ιησους", "ΙΗΣΟΥΣ", "Ιησού"], "word4@accents.example"],
    [["nguyen", "nguyễn"], "word5@accents.example"],
  ] as const)
    for (const search of searches) {
      const found = await call("select email from search_contacts", { _search: `${search} accents` });
      expect(
        found.map((row) => row.email),
        search,
      ).toEqual([email]);
    }
  await database.owner.query("delete from contacts where email like '%@accents.example'");
});

test("a search finds an address by both forms of its domain, and takes no notice of invisible characters", async () => {
  await database.owner.query(
    "insert into contacts (name, email, interest) values ('Ivy', 'ivy@münchen.example', 'consulting')",
  );
  for (const search of [
    "ivy@münchen.example",
    "ivy@XN--MNCHEN-3YA.example",
    "xn--mnchen-3ya",
    "\u200bivy@munchen\u2060",
    "Ivy \u202a",
  ]) {
    const found = await call("select email from search_contacts", { _search: search });
    expect(found, search).toEqual([{ email: "ivy@münchen.example" }]);
  }
  expect(await find("ivy@xn--mnchen-3yb")).toEqual([]);
  await database.owner.query("delete from contacts where name = 'Ivy'");
});

test.each([
  [{ _states: ["new", "handled"] }, [1, 2, 5]],
  [{ _states: [] }, []],
  [{ _interest: "partnerships" }, [2]],
  [{ _from: "2026-03-01T11:56:00Z", _until: "2026-03-01T11:58:00Z" }, [3, 4]],
  [{ _states: ["new", "no such state'"], _interest: "consulting", _from: "-infinity" }, [1, 5]],
])("the filter %j is applied with a search and without", async (filter, found) => {
  expect(await find("", filter)).toEqual(found);
  expect(await find("e", filter)).toEqual(found);
  expect(await count("e", filter)).toEqual({ contacts: `${found.length}`, is_estimate: false });
});

test.each(["", "e"])(
  "pages of the search %j follow each other in both directions without gap or overlap",
  async (search) => {
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, -minute)).toISOString();
    const older = { _cursor_at: at(3), _cursor_id: idOf(3), _length: 1 };
    expect(await find(search, older)).toEqual([4]);
    expect(await find(search, { ...older, _newer: true })).toEqual([2]);
    expect(await find(search, { ...older, _cursor_id: idOf(4), _newer: true, _length: 9 })).toEqual([3, 2, 1]);
    // Without an id, the time alone divides the list.
    expect(await find(search, { _cursor_at: at(3) })).toEqual([3, 4, 5]);
    expect(await find(search, { _cursor_at: at(3), _newer: true })).toEqual([2, 1]);
    expect(await find(search, { _length: 0 })).toEqual([]);
  },
);

test("a search beyond the newest 5,000 contacts finds old ones, in order and page by page", async () => {
  await database.owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, state)
      select case when n % 3000 = 0 then 'Rare' else 'Ada' end, 'n' || n || '@many.example', 'consulting',
        '2025-03-01T12:00:00Z'::timestamptz - n * interval '1 minute', 'archived'
      from generate_series(1, 12000) n;
    commit; analyze contacts`);
  const emails = async (more: object) =>
    (await call("select email from search_contacts", { _search: "rare", ...more })).map(({ email }) => email);
  const all = [3000, 6000, 9000, 12000].map((n) => `n${n}@many.example`);
  expect(await emails({})).toEqual(all);
  expect(await emails({ _length: 2 })).toEqual(all.slice(0, 2));
  const [first] = await call("select submitted_at, id from search_contacts", { _search: "rare", _length: 1 });
  const cursor = { _cursor_at: first?.submitted_at, _cursor_id: first?.id };
  expect(await emails(cursor)).toEqual(all.slice(1));
  expect(await emails({ _newer: true, _cursor_at: "2020-01-01T00:00:00Z" })).toEqual(all.toReversed());
});

test("without the extension for trigrams a search finds the same, and the index can be made later", async () => {
  const searched = () => call("select email from search_contacts", { _search: "rare", _length: 2 });
  const before = await searched();
  const make = async () => (await database.owner.query("select private.index_contact_text() as made")).rows;
  await database.owner.query("drop extension pg_trgm cascade");
  expect(await make()).toEqual([{ made: false }]);
  expect(await searched()).toEqual(before);
  await database.owner.query("create extension pg_trgm schema extensions");
  expect(await make()).toEqual([{ made: true }]);
  expect(await searched()).toEqual(before);
});

test("a count above 5,000 is an estimate of two digits unless the caller wants it exact", async () => {
  const [estimated] = await call("select * from count_contacts", { _states: ["archived"] });
  expect(estimated?.is_estimate).toBe(true);
  expect(Number(estimated?.contacts)).toBeGreaterThan(9000);
  expect(Number(estimated?.contacts)).toBeLessThan(15_000);
  expect(Number(estimated?.contacts) % 1000).toBe(0);
  const exact = { _states: ["archived"], _search: "ada", _exact: true };
  expect(await call("select * from count_contacts", exact)).toEqual([{ contacts: "11996", is_estimate: false }]);
});

test("the inbox's news tell of unread contacts, the newest contact that is not spam, and changes", async () => {
  const news = async () => (await call("select * from inbox_news", {}))[0] ?? {};
  const before = await news();
  expect(before).toMatchObject({ unread: "2", unread_is_estimate: false });
  expect(before.newest_at).toEqual(new Date("2026-03-01T11:59:00Z"));

  const change = (sql: string) => database.as(admin.claims, (db) => db.query(sql, [idOf(1)]));
  await change("update contacts set state = 'handled' where id = $1");
  expect(await news()).toMatchObject({ unread: "1", revision: `${Number(before.revision) + 1}` });
  await database.owner.query("insert into contacts (name, email, interest) values ('New', 'new@x.org', 'consulting')");
  await change("delete from contacts where id = $1");
  expect(await news()).toMatchObject({ unread: "2", revision: `${Number(before.revision) + 2}` });

  // A member's statement reaches no contact, and so changes nothing.
  await database.as(member.claims, (db) => db.query("update contacts set note = 'x'"));
  await database.as(member.claims, (db) => db.query("delete from contacts"));
  expect((await news()).revision).toBe(`${Number(before.revision) + 2}`);
});

test.each(["select * from search_contacts('')", "select * from count_contacts()", "select * from inbox_news()"])(
  "%s is refused to a member, a visitor and a secret key",
  async (sql) => {
    await expect(database.as(member.claims, (db) => db.query(sql))).rejects.toMatchObject(denied);
    for (const claims of [visitor, service])
      await expect(database.as(claims, (db) => db.query(sql))).rejects.toMatchObject({ code: "42501" });
  },
);

function idOf(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`;
}

async function find(search: string, more: object = {}): Promise<number[]> {
  const rows = await call("select id from search_contacts", { _search: search, ...more });
  return rows.map(({ id }) => Number(`${id}`.slice(-1)));
}

async function count(search: string, more: object = {}) {
  return (await call("select * from count_contacts", { _search: search, ...more }))[0];
}

async function call(start: string, parameters: object): Promise<Record<string, unknown>[]> {
  const names = Object.keys(parameters).map((name, index) => `${name} => $${index + 1}`);
  const { rows } = await database.as(admin.claims, (db) => db.query(`${start}(${names})`, Object.values(parameters)));
  return rows;
}
