import { expect, test, vi } from "vitest";
import { toSearchText } from "#site/supabase/contact-search.ts";
import type { InboxNews } from "#site/supabase/read-contacts.ts";
import { startDataApiWithFixtures } from "#tests/support/data-api-with-fixtures";
import { createUser } from "#tests/support/database";
import { fc } from "#tests/support/seeded-fast-check";

// The inbox's own requests, by Supabase's client, to the data API.
const { database, clientOf } = await startDataApiWithFixtures();
const client = await clientOf({ admin: true });
// Files of tests share their modules, and another one may have imported these without the client of this test.
vi.resetModules();
vi.doMock("#site/supabase/client.ts", () => ({
  callBackend: (call: (backend: typeof client) => Promise<unknown>) => call(client),
}));
const { countContacts, listContactsFrom, readContacts } = await import("#site/supabase/read-contacts.ts");
vi.doUnmock("#site/supabase/client.ts");
vi.resetModules();
const { owner } = database;
const member = await createUser(database);

/** Newest first. The two of the same minute are ordered by id. */
const stored = [
  { id: 1, name: "Ada O'Brien", company: "Heron & Söhne", email: "ada@heron.example", state: "new" },
  { id: 2, name: "Émile Bô", company: "", email: "emile@x.org", state: "handled" },
  { id: 3, name: "Grace", company: "100% Wool_Works, Inc", email: "grace@x.org", state: "spam" },
  { id: 4, name: "Grace", company: "100 Wool-Works", email: "o'grace@x.org", state: "archived" },
  { id: 5, name: "Ida Heron", company: "ACME\\Co*", email: "ida@x.org", state: "new" },
];
for (const { id, name, company, email, state } of stored)
  await owner.query(
    `insert into contacts (id, name, company, email, interest, state, submitted_at)
     values ($1, $2, $3, $4, $5, $6, '2026-03-01T12:00:00Z'::timestamptz - make_interval(mins => $7))`,
    [idOf(id), name, company, email, id === 2 ? "partnerships" : "consulting", state, id === 4 ? 3 : id],
  );

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
  ["works, inc", [3]],
  ["(any).{x}", []],
  ["acme\\co", [5]],
  ["\\co*", [5]],
  ["heron grace", []],
  ["ada\nheron", [1]],
  ["ada a o b r i e n nowhere", [1]],
])("a search for %j finds the contacts in which the first eight words occur literally", async (search, found) => {
  expect(await find({ search })).toEqual(found);
});

test("a search finds letters with and without their accents", async () => {
  for (const [name, ...searches] of [
    ["Jürgen Müller", "muller", "MÜLLER jurgen", "mu\u0308ller"],
    ["Bjorn Straße", "björn", "strasse", "STRASSE", "straße"],
    ["Łódź Ærø", "lodz", "łódź", "aero", "ærø"],
    ["O\u2019Connor \ufb01n", "fin"],
    ["Ιησούς", "ιησους", "ΙΗΣΟΥΣ", "Ιησού"],
    ["Nguye\u0302\u0303n", "nguyen", "nguyễn"],
  ])
    await whileStored({ name }, async () => {
      for (const search of searches) expect(await find({ search }), search).toEqual([9]);
    });
});

test("a search takes no notice of invisible characters", async () => {
  await whileStored({ email: "ivy@münchen.example" }, async () => {
    for (const search of ["IVY@münchen.example", "\u200bivy@munchen\u2060"])
      expect(await find({ search }), search).toEqual([9]);
  });
});

test("a search finds the contacts of a source", async () => {
  await owner.query(
    `update contacts set referrer = 'news.example', campaign = 'c++ / grüße', first_page = '/My_Page'
    where id = $1`,
    [idOf(1)],
  );
  await owner.query("update contacts set referrer = 'site.news.example', first_page = '/' where id = $1", [idOf(2)]);
  expect(await find({ search: "site:News.example ada" })).toEqual([1]);
  expect(await find({ search: "site:" })).toEqual([3, 4, 5]);
  expect(await find({ search: "campaign:c%2B%2B+/+Grüße" })).toEqual([1]);
  expect(await find({ search: "page:/my_page" })).toEqual([1]);
  expect(await find({ search: "page:/my-page" })).toEqual([]);
  expect(await find({ search: "site" })).toEqual([]);
});

test("the text of a search is made as the column of the contacts is", async () => {
  const { rows } = await owner.query(`select pg_get_expr(adbin, adrelid) as expression
    from pg_attrdef d join pg_attribute a on (a.attrelid, a.attnum) = (d.adrelid, d.adnum)
    where attrelid = 'contacts'::regclass and attname = 'search_text'`);
  const characters = Array.from({ length: 0xffff }, (_, index) => String.fromCharCode(index + 1)).filter((character) =>
    character.isWellFormed(),
  );
  const unit = fc.constantFrom(...characters, ..."ΑΣς ŁøĐħıİßæŒÅǿ<>\"'\u0301");
  const texts = [...characters, ...fc.sample(fc.string({ unit, maxLength: 30 }), 2000)];
  const made = await owner.query(
    `select ${rows[0].expression} as text, normalize(lower(name collate "und-x-icu"), nfkd) as letters
     from unnest($1::text[]) with ordinality as contact (name, place), (select '' as company, '' as email) others
     order by place`,
    [texts],
  );
  const both = texts.map((text, index) => ({
    ...made.rows[index],
    expected: text,
    found: `${toSearchText(text)}\n\n`,
  }));
  // PostgreSQL and its ICU may not know the letters of the newest Unicode.
  const known = both.filter(({ expected, letters }) => letters === expected.toLowerCase().normalize("NFKD"));
  expect(known.length).toBeGreaterThan(60_000);
  expect(known.filter(({ found, text }) => found !== text)).toEqual([]);
});

test.each([
  [{ states: ["new", "handled"] as const }, [1, 2, 5]],
  [{ states: [] }, []],
  [{ interest: "partnerships" as const }, [2]],
  [{ from: "2026-03-01T11:56:00Z", until: "2026-03-01T11:58:00Z" }, [3, 4]],
  [{ states: ["new"] as const, interest: "consulting" as const }, [1, 5]],
])("the filter %j is applied with a search and without", async (filter, found) => {
  expect(await find(filter)).toEqual(found);
  expect(await find({ ...filter, search: "e" })).toEqual(found);
});

test("lists have the contacts of one administrator, or those that no administrator has", async () => {
  const ada = await createUser(database, { admin: true });
  const former = await createUser(database);
  for (const [person, id] of [
    [ada.id, 1],
    [former.id, 2],
  ] as const)
    await owner
      .query("begin; set local session_replication_role = replica")
      .then(() =>
        owner.query("update contacts set handled_by = $1, handled_by_since = now() where id = $2", [person, idOf(id)]),
      )
      .then(() => owner.query("commit"));
  expect(await find({ handledBy: ada.id })).toEqual([1]);
  expect(await find({ handledBy: ada.id, search: "heron", states: ["handled"] })).toEqual([]);
  expect(await find({ handledBy: "nobody" })).toEqual([2, 3, 4, 5]);
  expect(await find({ handledBy: "nobody", search: "grace", states: ["spam"] })).toEqual([3]);
});

test.each(["", "e"])(
  "pages of the search %j follow each other in both directions without gap or overlap",
  async (search) => {
    const cursor = { at: "2026-03-01T11:57:00+00:00", id: idOf(3) };
    const page = async (length: number, newer: boolean, id = cursor.id) =>
      numbersOf(await readContacts({ search }, length, { cursor: { ...cursor, id }, newer }));
    expect(await page(1, false)).toEqual([4]);
    expect(await page(1, true)).toEqual([2]);
    expect(await page(9, true, idOf(4))).toEqual([1, 2, 3]);
    expect(await page(9, false, "00000000-0000-0000-0000-000000000000")).toEqual([3, 4, 5]);
    expect(await page(9, true, "00000000-0000-0000-0000-000000000000")).toEqual([1, 2]);
  },
);

test("all contacts from an address are read, in parts, and none from another one", async () => {
  await owner.query(`insert into contacts (name, email, interest, submitted_at)
    select 'Many ' || n, case when n <= 120 then 'many@x.org' else 'o' || n || '.many@x.org' end, 'consulting',
      '2025-03-01Z'::timestamptz + n / 7 * interval '1 minute' from generate_series(1, 150) n`);
  const read = await listContactsFrom("many@x.org");
  const contacts = read.ok ? read.value : [];
  expect(contacts).toHaveLength(120);
  expect(new Set(contacts.map(({ id, email }) => id + email))).toHaveLength(120);
  expect(await countContacts({ search: "many@x.org" })).toEqual({ ok: true, value: 150 });
  await owner.query("delete from contacts where name like 'Many %'");
});

test("the inbox's news tell of unread contacts, the newest that is neither spam nor deleted, and changes", async () => {
  const news = async () => (await client.rpc("inbox_news").single<InboxNews>()).data as InboxNews;
  const before = await news();
  expect(before).toMatchObject({ unread: 2, newest_at: "2026-03-01T11:59:00+00:00" });

  await client.from("contacts").update({ state: "handled" }).eq("id", idOf(1));
  expect(await news()).toMatchObject({ unread: 1, revision: before.revision + 1 });
  await owner.query("insert into contacts (name, email, interest) values ('New', 'new@x.org', 'consulting')");
  const { newest_at } = await news();
  expect(newest_at).not.toBe(before.newest_at);
  await client.from("contacts").update({ state: "deleted" }).eq("email", "new@x.org");
  expect(await news()).toMatchObject({ unread: 1, newest_at: before.newest_at, revision: before.revision + 2 });
  await client.from("contacts").delete().eq("email", "new@x.org");
  expect(await news()).toMatchObject({ unread: 1, revision: before.revision + 3 });

  // A first reading is none for other inboxes, and neither is a change to what is stored already.
  for (const change of [{ read_by: member.id }, { state: "handled" }])
    expect((await client.from("contacts").update(change).eq("id", idOf(1)).select()).data).toHaveLength(1);
  // A member's statement reaches no contact, and so changes nothing.
  await database.as(member.claims, (db) => db.query("update contacts set note = 'x'"));
  await database.as(member.claims, (db) => db.query("delete from contacts"));
  expect((await news()).revision).toBe(before.revision + 3);
});

function idOf(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`;
}

/** The numbers of the contacts that the list has, which the count must agree with. */
async function find(conditions: Parameters<typeof countContacts>[0]): Promise<number[]> {
  const found = numbersOf(await readContacts(conditions, 50, {}));
  expect(await countContacts(conditions)).toEqual({ ok: true, value: found.length });
  return found;
}

function numbersOf(read: Awaited<ReturnType<typeof readContacts>>): number[] {
  if (!read.ok) throw new Error(read.message);
  return read.value.map(({ id }) => Number(id.slice(-1)));
}

/** A ninth contact, for as long as `work` takes. */
async function whileStored({ name = "Ivy", email = "ninth@accents.example" }, work: () => Promise<void>) {
  const values = [idOf(9), name, email];
  await owner.query("insert into contacts (id, name, email, interest) values ($1, $2, $3, 'consulting')", values);
  await work();
  await owner.query("delete from contacts where id = $1", [idOf(9)]);
}
