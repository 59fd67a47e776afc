import { expect, onTestFinished, test } from "vitest";
import { startDataApiWithFixtures } from "#tests/support/data-api-with-fixtures";
import { readSource, type Source, sourceHeaders } from "#validation/source";

const { database, api, clientOf } = await startDataApiWithFixtures();

let sent = 0;

/** Sends a contact beside which the header says this, and returns what the database keeps of it. */
async function send(clientInfo: string, headers: Record<string, string> = {}) {
  const email = `ada-${++sent}@example.com`;
  const insert = api
    .client()
    .from("contacts")
    .insert({ name: "Ada", company: "Engines", email, interest: "consulting" });
  for (const [name, value] of Object.entries({ ...headers, "x-client-info": clientInfo }))
    insert.setHeader(name, value);
  expect((await insert).status).toBe(201);
  const { rows } = await database.owner.query("select referrer, campaign, first_page from contacts where email = $1", [
    email,
  ]);
  return rows[0];
}
const sendFrom = (source: Source) => send(`${sourceHeaders(source)["x-client-info"]}`);

const none = { referrer: "", campaign: "", first_page: "" };

test("a contact is stored with the host, the campaign and the first page that come beside it", async () => {
  const address =
    "https://site.test/case-studies/herons?utm_source=News%20letter&utm_medium=EMail&utm_campaign=Gr%C3%BC%C3%9Fe";
  expect(await sendFrom(readSource(address, "https://News.Example/a/page?with=words"))).toEqual({
    referrer: "news.example",
    campaign: "news letter / email / grüße",
    first_page: "/case-studies/herons",
  });
  expect(await sendFrom(readSource("https://site.test/?ref=card", ""))).toEqual({
    ...none,
    campaign: "card",
    first_page: "/",
  });
  expect(await sendFrom(readSource("https://site.test/", "https://site.test/terms-of-service?ref=card"))).toEqual({
    ...none,
    campaign: "card",
    first_page: "/terms-of-service",
  });
});

test("a forged source can be wrong, but never markup, a control character, or long", async () => {
  const long = "x".repeat(5000);
  const stored = await sendFrom({
    referrer: "<b>news.example</b>",
    campaign: `=<b>"\n\u007f\u0085${long}`,
    page: "javascript:alert(1)",
  });
  expect(stored).toEqual({ ...none, campaign: expect.stringMatching(/^=b *x{290,}$/) });
  expect(stored.campaign).not.toMatch(/[<>"'\p{Cc}]/u);
  for (const told of [
    `{"campaign":"${"\\u0000"}"}`,
    '{"campaign":"\\ud800"}',
    '{"campaign":',
    "{}",
    '{"campaign":{"a":1}}',
    `{"page":"/${long}"}`,
  ])
    expect(await send(told)).toMatchObject({ referrer: "", first_page: "" });
});

test.each<Record<string, string>>([{ "sec-gpc": "1" }, { dnt: "1" }])(
  "with %o a contact is stored without its source",
  async (signal) => {
    expect(await send('{"campaign":"card"}')).toMatchObject({ campaign: "card" });
    expect(await send('{"campaign":"card"}', signal)).toEqual(none);
  },
);

const addVisits = (visits: readonly (Source & { visits: number })[]) =>
  database.owner.query("select private.add_visits($1)", [JSON.stringify(visits)]);

const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

test("an admin sees visits and contacts by site, campaign and page", async () => {
  await database.owner.query("truncate contacts, private.visits");
  onTestFinished(async () => void (await database.owner.query("truncate contacts, private.visits")));
  await addVisits([
    { referrer: "news.example", page: "/", visits: 40 },
    { referrer: "news.example", campaign: "card", page: "/", visits: 2 },
    { page: "/", visits: 5 },
  ]);
  await addVisits([{ referrer: "news.example", page: "/", visits: 1 }]);
  await sendFrom({ referrer: "news.example", page: "/" });
  await sendFrom({ referrer: "other.example", campaign: "card", page: "/terms-of-service" });
  const before = "update contacts set submitted_at = now() - interval '2 days' where referrer = 'other.example'";
  await database.owner.query(before);
  for (const state of ["spam", "deleted"]) {
    await sendFrom({ referrer: "news.example", page: "/" });
    await database.owner.query(
      "update contacts set state = $1 where submitted_at = (select max(submitted_at) from contacts)",
      [state],
    );
  }

  const admin = await clientOf({ admin: true });
  const since = new Date().toISOString().slice(0, 10);
  const _since = dayAgo(28);
  const sources = async (by: string) => (await admin.rpc("contact_sources", { _by: by, _since })).data;
  expect(await sources("referrer")).toEqual([
    { source: "news.example", visits: 43, contacts: 1, since },
    { source: "", visits: 5, contacts: 0, since },
  ]);
  expect(await sources("campaign")).toEqual([
    { source: "", visits: 46, contacts: 1, since },
    { source: "card", visits: 2, contacts: 0, since },
  ]);
  expect(await sources("first_page")).toEqual([{ source: "/", visits: 48, contacts: 1, since }]);

  // Without counts of visits, the contacts of the whole time.
  await database.owner.query("truncate private.visits");
  expect(await sources("first_page")).toMatchObject([
    { source: "/", visits: 0, contacts: 1 },
    { source: "/terms-of-service", visits: 0, contacts: 1 },
  ]);
});

test.each([
  ["Pacific/Auckland", "Pacific/Auckland"],
  ["Europe/Berlin", "Europe/Berlin"],
  ["America/Los_Angeles", "America/Los_Angeles"],
  ["Asia/Kolkata", "Asia/Kolkata"],
  ["Mars/Olympus_Mons", "UTC"],
])("the sources count whole days of %s, also across a change of its clocks", async (_zone, known) => {
  await database.owner.query("truncate contacts, private.visits");
  onTestFinished(async () => void (await database.owner.query("truncate contacts, private.visits")));
  // Clocks change within these 170 days, except when asked in a few weeks of the year.
  const [_since, firstVisit] = [dayAgo(173), dayAgo(3)];
  const storeAt = (referrer: string, day: string, seconds: number) =>
    database.owner.query(
      `insert into contacts (name, email, interest, referrer, submitted_at)
       values ('Ada', gen_random_uuid() || '@x.org', 'consulting', $1,
         ($2::timestamp at time zone $3) + make_interval(secs => $4))`,
      [referrer, day, known, seconds],
    );
  await storeAt("before.example", _since, -1);
  await storeAt("first.example", _since, 0);
  await storeAt("first.example", firstVisit, -1);
  await storeAt("next.example", firstVisit, 0);
  const admin = await clientOf({ admin: true });
  const sources = async () => (await admin.rpc("contact_sources", { _by: "referrer", _since, _zone })).data;
  expect(await sources()).toEqual([
    { source: "first.example", visits: 0, contacts: 2, since: _since },
    { source: "next.example", visits: 0, contacts: 1, since: _since },
  ]);

  // From the first day on which visits were counted.
  await database.owner.query("insert into private.visits values ($1, '/', 'next.example', '', 3)", [firstVisit]);
  expect(await sources()).toEqual([{ source: "next.example", visits: 3, contacts: 1, since: firstVisit }]);
});

test("invented sources add at most 500 rows a day, and every visit counts", async () => {
  await database.owner.query("truncate private.visits");
  const invented = (from: number) =>
    Array.from({ length: 400 }, (_, n) => ({ referrer: `${from + n}.example`, page: "/", visits: 1 }));
  for (const from of [0, 400, 800]) await addVisits(invented(from));
  await addVisits([{ referrer: "0.example", page: "/", visits: 7 }]);
  const { rows } = await database.owner.query(`
    select count(*)::int as rows, sum(visits)::int as visits, max(visits) filter (where referrer = 'other') as other,
      max(visits) filter (where referrer = '0.example') as known from private.visits`);
  expect(rows).toEqual([{ rows: 501, visits: 1207, other: 700, known: 8 }]);
});
