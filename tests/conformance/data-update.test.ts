import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { startBirdsApi } from "#tests/support/birds-api";
import { publicKey } from "#tests/support/data-api";

const { api, database, clientOf } = await startBirdsApi();
const admin = await clientOf({ admin: true });
const member = await clientOf({ admin: false });

beforeEach(() => fillFixtureTables(database.owner));

const habitats = async () =>
  (await database.owner.query("select habitat from public.birds order by id")).rows.map(({ habitat }) => habitat);
const unchanged = ["lake", "garden", "garden", "wood", "lake"];

test("an update without select changes the rows that match and answers 204 without a body", async () => {
  const { error, status, data } = await api.client().from("birds").update({ habitat: "sky" }).in("id", [2, 3, 99]);
  expect({ error, status, data }).toEqual({ error: null, status: 204, data: null });
  expect(await habitats()).toEqual(["lake", "sky", "sky", "wood", "lake"]);

  const exchange = await api.last();
  expect(exchange).toMatchObject({
    method: "PATCH",
    url: "/rest/v1/birds?id=in.%282%2C3%2C99%29",
    body: '{"habitat":"sky"}',
  });
  expect(exchange.headers["content-profile"]).toBe("public");
  expect(exchange.headers).not.toHaveProperty("prefer");
  expect(exchange.answered).toMatchObject({ "content-range": "0-1/*" });
  expect(exchange.answered).not.toHaveProperty("content-type");
});

test("an update with select returns the changed rows with the selected columns", async () => {
  const { status, data } = await api
    .client()
    .from("birds")
    .update({ wingspan: 1.9, sings: null, seen_at: "2026-01-01T00:00:00+01:00" })
    .eq("id", 1)
    .select("id, span:wingspan, sings, seen_at");
  expect([status, data]).toEqual([200, [{ id: 1, span: 1.9, sings: null, seen_at: "2025-12-31T23:00:00+00:00" }]]);

  const exchange = await api.last();
  expect(exchange.headers.prefer).toBe("return=representation");
  expect(exchange.answered).toMatchObject({
    "content-range": "0-0/*",
    "content-type": "application/json; charset=utf-8",
  });
});

test("an update that matches no row is a success: 204, or 200 and an empty list", async () => {
  const silent = await api.client().from("birds").update({ habitat: "sky" }).eq("id", 99);
  expect([silent.status, silent.error, (await api.last()).answered["content-range"]]).toEqual([204, null, "*/*"]);
  const returned = await api.client().from("birds").update({ habitat: "sky" }).eq("id", 99).select();
  expect([returned.status, returned.data, (await api.last()).answered["content-range"]]).toEqual([200, [], "*/*"]);
  const maybe = await api.client().from("birds").update({ habitat: "sky" }).eq("id", 99).select().maybeSingle();
  expect([maybe.status, maybe.data, maybe.error]).toEqual([200, null, null]);
});

test("an update with count=exact returns the number of changed rows", async () => {
  const { count, status } = await api
    .client()
    .from("birds")
    .update({ habitat: "sky" }, { count: "exact" })
    .or('seen_at.gte."2025-11-20T00:00:00+00:00",and(name.eq."Wren, small",seen_at.is.null)');
  expect([count, status, await habitats()]).toEqual([3, 204, ["sky", "sky", "sky", "wood", "lake"]]);
  expect((await api.last()).answered).toMatchObject({ "content-range": "0-2/3" });
});

test("with single(), an update of any other number of rows is refused and rolled back", async () => {
  const update = (id: number[]) => api.client().from("birds").update({ habitat: "sky" }).in("id", id).select("id");
  const one = await update([1]).single();
  expect([one.status, one.data]).toEqual([200, { id: 1 }]);
  await fillFixtureTables(database.owner);
  for (const ids of [[99], [1, 2]]) {
    const { status, error } = await update(ids).single();
    expect([status, error?.code]).toEqual([406, "PGRST116"]);
  }
  expect(await habitats()).toEqual(unchanged);
});

test("an update of more rows than maxAffected() allows is refused and rolled back", async () => {
  const update = (most: number) => api.client().from("birds").update({ habitat: "sky" }).lt("id", 4).maxAffected(most);
  const { status, error } = await update(2);
  expect([status, error]).toMatchObject([400, { code: "PGRST124", details: "The query affects 3 rows" }]);
  expect(await habitats()).toEqual(unchanged);
  expect((await update(3)).status).toBe(204);
});

test("an update takes its object from an array of one, as upstream's tests of max-affected send it", async () => {
  const update = (most: number) =>
    patch("birds?id=eq.1", [{ habitat: "sky" }], { prefer: `handling=strict, max-affected=${most}` });
  const refused = await update(0);
  expect([refused.status, await refused.json()]).toMatchObject([400, { details: "The query affects 1 rows" }]);
  expect((await update(1)).status).toBe(204);
  expect(await habitats()).toEqual(["sky", ...unchanged.slice(1)]);
});

test("an update with the query parameter columns sets only these, and null where the body lacks one", async () => {
  const answer = await patch("birds?id=eq.1&columns=habitat,name", { name: "Crane", sings: true, nonsense: 1 });
  expect([answer.status, await answer.text()]).toEqual([204, ""]);
  const { data } = await api.client().from("birds").select("name, habitat, sings").eq("id", 1);
  expect(data).toEqual([{ name: "Crane", habitat: null, sings: false }]);
});

test("an update of no columns changes nothing and returns no rows", async () => {
  const { status, data } = await api.client().from("birds").update({}).eq("id", 1).select();
  expect([status, data]).toEqual([200, []]);
  const silent = await patch("birds", {}, { prefer: "count=exact" });
  expect([silent.status, silent.headers.get("content-range")]).toEqual([204, "*/0"]);
});

test("an update with return=headers-only answers 204 without a Location", async () => {
  const answer = await patch("birds?id=eq.1", { habitat: "sky" }, { prefer: "return=headers-only" });
  expect([answer.status, answer.headers.get("location"), answer.headers.get("content-range")]).toEqual([
    204,
    null,
    "0-0/*",
  ]);
});

test("an update can set a column whose name must be quoted", async () => {
  const { data } = await api.client().from("birds").update({ 'odd "name': "x" }).eq("id", 1).select('"odd \\"name"');
  expect(data).toEqual([{ 'odd "name': "x" }]);
});

test.each<[string, string, unknown, number, Record<string, unknown>]>([
  ["without a filter", "birds", { habitat: "sky" }, 400, { code: "21000", message: "UPDATE requires a WHERE clause" }],
  ["with a limit", "birds?id=gt.0&limit=1", { habitat: "sky" }, 400, { code: "PGRST127" }],
  ["with several objects", "birds?id=eq.1", [{ habitat: "sky" }, { habitat: "sea" }], 400, { code: "PGRST102" }],
  ["with form data", "birds?id=eq.1", new URLSearchParams({ habitat: "sky" }), 400, { code: "PGRST102" }],
  ["of an unknown column", "birds?id=eq.1", { nonsense: 1 }, 400, { code: "PGRST204" }],
  ["with a filter on an unknown column", "birds?nonsense=eq.1", { habitat: "sky" }, 400, { code: "42703" }],
  ["that selects an unknown column", "birds?id=eq.1&select=nonsense", { habitat: "sky" }, 400, { code: "42703" }],
  ["with a value of the wrong type", "birds?id=eq.1", { wingspan: "wide" }, 400, { code: "22P02" }],
  ["to a null that the table forbids", "birds?id=eq.1", { name: null }, 400, { code: "23502" }],
  ["that a policy forbids", "birds?id=eq.1", { name: "forbidden" }, 401, { code: "42501" }],
  ["that a trigger throttles", "birds?id=eq.1", { name: "throttled" }, 429, { code: "PT429", details: "d" }],
  ["of a column without a grant", "birds?id=eq.1", { id: 9 }, 401, { code: "42501" }],
  ["of an unknown table", "nests?id=eq.1", { id: 9 }, 404, { code: "PGRST205" }],
  ["of a view of groups", "contacts_per_week?contacts=eq.0", { contacts: 1 }, 405, { code: "55000" }],
])("an update %s is refused", async (_what, path, body, status, expected) => {
  const answer = await patch(path, body, { prefer: "return=representation" });
  expect(answer.status).toBe(status);
  const answered = await answer.json();
  expect(answered).toMatchObject(expected);
  expect(Object.keys(answered)).toEqual(["code", "message", "details", "hint"]);
  expect(answer.headers.get("proxy-status")).toBe(`PostgREST; error=${answered.code}`);
  expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, HEAD" : null);
  expect([await habitats(), api.failures]).toEqual([unchanged, []]);
});

test("an admin changes contacts, and a stale write does not overwrite a newer note", async () => {
  const [id, other] = await storeContacts(2);
  const contacts = () => admin.from("contacts");
  expect((await contacts().update({ state: "handled" }).in("id", [id, other])).status).toBe(204);

  const write = (note: string, version: number) =>
    contacts().update({ note }).eq("id", id).eq("note_version", version).select("id, note, note_version, state");
  expect((await write("first", 0)).data).toEqual([{ id, note: "first", note_version: 1, state: "handled" }]);
  expect((await write("stale", 0)).data).toEqual([]);
  expect((await write("second", 1)).data).toMatchObject([{ note: "second", note_version: 2 }]);

  const corrected = { name: "Ada L.", company: "", email: "ada.l@example.com", interest: "partnerships" };
  expect((await contacts().update(corrected).eq("id", id).select().single()).data).toMatchObject(corrected);
});

test.each([
  ["id", randomUUID()],
  ["submitted_at", "2020-01-01"],
  ["spam_reason", null],
  ["note_version", 9],
])("even an admin cannot set the column %s of a contact", async (column, value) => {
  const [id] = await storeContacts(1);
  const { status, error } = await admin
    .from("contacts")
    .update({ [column]: value })
    .eq("id", id);
  expect([status, error?.code]).toEqual([403, "42501"]);
});

test("others than admins change no contact: row-level security skips all rows, and visitors have no right", async () => {
  const [id] = await storeContacts(1);
  const update = (client: typeof member) => client.from("contacts").update({ state: "archived" }).eq("id", id);
  expect((await update(member)).status).toBe(204);
  expect((await update(member).select()).data).toEqual([]);
  const { status, error } = await update(api.client());
  expect([status, error?.code]).toEqual([401, "42501"]);
  const { rows } = await database.owner.query("select state from contacts where id = $1", [id]);
  expect(rows).toEqual([{ state: "new" }]);
});

test("an admin retries a failed delivery through the view's trigger", async () => {
  await database.owner.query(
    `insert into private.jobs (task, payload, attempts, attempts_max, run_at, last_error, created_at)
     values ('notify-owner', '{}', 3, 22, now() + interval '1 hour', 'No.', now() - interval '1 hour')`,
  );
  const retry = () => ({ next_try_at: new Date().toISOString() });
  const of = (client: typeof admin) => client.from("delivery_failures").update(retry(), { count: "exact" }).gt("id", 0);
  expect(await of(member)).toMatchObject({ status: 204, count: 0 });
  expect(await of(admin)).toMatchObject({ status: 204, count: 1 });
  expect((await database.owner.query("select attempts from private.jobs where last_error = 'No.'")).rows).toEqual([
    { attempts: 0 },
  ]);
});

async function storeContacts(count: number): Promise<string[]> {
  const { rows } = await database.owner.query(
    `insert into contacts (name, email, interest)
     select 'Ada', gen_random_uuid() || '@example.com', 'consulting' from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

function patch(path: string, body: unknown, headers: Record<string, string> = {}) {
  const isForm = body instanceof URLSearchParams;
  return fetch(`${api.url}/rest/v1/${path}`, {
    method: "PATCH",
    headers: { apikey: publicKey, ...(isForm ? {} : { "content-type": "application/json" }), ...headers },
    body: isForm ? body : JSON.stringify(body),
  });
}
