import { beforeEach, expect, test } from "vitest";
import { defaultPublicKey } from "#server/settings";
import { startBirdsApi } from "#tests/support/birds-api";

const { api, database } = await startBirdsApi();

beforeEach(async () => {
  await database.owner.query("truncate public.birds, public.contacts");
});

const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
const stored = async (table: string) => (await database.owner.query(`select * from ${table} order by name`)).rows;

test("a visitor's contact is stored, and the response has status 201 and an empty body", async () => {
  const { error, status, data } = await api.client().from("contacts").insert(contact);
  expect({ error, status, data }).toEqual({ error: null, status: 201, data: null });
  expect(await stored("contacts")).toMatchObject([contact]);

  const exchange = await api.last();
  expect(exchange).toMatchObject({ method: "POST", url: "/rest/v1/contacts", body: JSON.stringify(contact) });
  expect(exchange.headers).toMatchObject({
    apikey: defaultPublicKey,
    authorization: `Bearer ${defaultPublicKey}`,
    "content-profile": "public",
    "content-type": "application/json",
    accept: "*/*",
  });
  expect(exchange.headers).not.toHaveProperty("prefer");
  expect(exchange.answered).toMatchObject({ "content-range": "*/*", "content-length": "0" });
  expect(exchange.answered).not.toHaveProperty("content-type");
  expect(exchange.answered).not.toHaveProperty("location");
  expect(exchange.answered).not.toHaveProperty("preference-applied");
});

test("in an insert of several rows, a column missing from a row becomes null", async () => {
  const rows = [
    { id: 1, name: "Heron", habitat: "lake" },
    { id: 2, name: "Robin" },
  ];
  const { error, status } = await api.client().from("birds").insert(rows);
  expect({ error, status }).toEqual({ error: null, status: 201 });
  expect(await stored("birds")).toMatchObject([{ habitat: "lake" }, { habitat: null }]);
  expect((await api.last()).url).toBe("/rest/v1/birds?columns=%22id%22%2C%22name%22%2C%22habitat%22");
});

test("with Prefer: missing=default, a column missing from a row gets the column's default", async () => {
  const rows = [
    { id: 1, name: "Heron", habitat: null },
    { id: 2, name: "Robin" },
  ];
  const { error } = await api.client().from("birds").insert(rows, { defaultToNull: false });
  expect(error).toBeNull();
  expect(await stored("birds")).toMatchObject([{ habitat: null }, { habitat: "anywhere" }]);

  const exchange = await api.last();
  expect(exchange.headers.prefer).toBe("missing=default");
  expect(exchange.answered["preference-applied"]).toBe("missing=default");
});

test("an insert with count=exact returns the number of new rows", async () => {
  const { count, status } = await api
    .client()
    .from("birds")
    .insert(
      [
        { id: 1, name: "Heron" },
        { id: 2, name: "Wren" },
      ],
      { count: "exact" },
    );
  expect({ count, status }).toEqual({ count: 2, status: 201 });

  const exchange = await api.last();
  expect(exchange.headers.prefer).toBe("count=exact");
  expect(exchange.answered).toMatchObject({ "content-range": "*/2", "preference-applied": "count=exact" });
});

test("an insert with select() returns the selected columns of the new rows", async () => {
  const all = await api.client().from("birds").insert({ id: 1, name: "Heron" }).select();
  expect(all.data).toEqual([
    { id: 1, name: "Heron", habitat: "anywhere", wingspan: null, seen_at: null, sings: null, 'odd "name': null },
  ]);
  const exchange = await api.last();
  expect(exchange.url).toBe("/rest/v1/birds?select=*");
  expect(exchange.headers.prefer).toBe("return=representation");
  expect(exchange.answered).toMatchObject({
    "content-range": "*/*",
    "content-type": "application/json; charset=utf-8",
    "preference-applied": "return=representation",
  });

  const one = await api.client().from("birds").insert({ id: 2, name: "Wren" }).select("called:name, id::text").single();
  expect({ data: one.data, status: one.status }).toEqual({ data: { called: "Wren", id: "2" }, status: 201 });
  expect((await api.last()).answered["content-type"]).toBe("application/vnd.pgrst.object+json; charset=utf-8");
});

test("an insert of two rows with single() is refused and rolled back", async () => {
  const rows = [
    { id: 1, name: "Heron" },
    { id: 2, name: "Wren" },
  ];
  const { error, status } = await api.client().from("birds").insert(rows).select("id").single();
  expect(status).toBe(406);
  expect(error).toMatchObject({ code: "PGRST116", details: "The result contains 2 rows" });
  expect(await stored("birds")).toEqual([]);
});

test("an insert with return=headers-only returns the new row's URL in the Location header", async () => {
  const answer = await post("birds", { id: 7, name: "Heron" }, { prefer: "return=headers-only" });
  expect([answer.status, await answer.text()]).toEqual([201, ""]);
  expect(answer.headers.get("location")).toBe("/birds?id=eq.7");
});

test("an insert that stores nothing succeeds: a trigger drops the row, or no rows are sent", async () => {
  const ignored = await api.client().from("birds").insert({ id: 1, name: "ignored" }, { count: "exact" });
  expect([ignored.status, ignored.error, ignored.count]).toEqual([201, null, 0]);
  const none = await api.client().from("birds").insert([]).select();
  expect([none.status, none.error, none.data]).toEqual([201, null, []]);
  expect(await stored("birds")).toEqual([]);
});

test("an insert stores quotes, brackets, decimal numbers and non-Latin text unchanged", async () => {
  const body = `{"id": 1, "name": "O'Hara \\"x\\" $1 {} 鳥 \\ud83e\\udd89", "wingspan": 123.4500, "odd \\"name": "x"}`;
  expect((await post("birds", body)).status).toBe(201);
  expect(await stored("birds")).toMatchObject([
    { name: `O'Hara "x" $1 {} 鳥 🦉`, wingspan: "123.45", 'odd "name': "x" },
  ]);
});

test("an insert ignores keys that the query parameter `columns` does not name", async () => {
  const answer = await post("birds?columns=id,name", [{ id: 1, name: "Heron", habitat: "lake", nonsense: 1 }]);
  expect(answer.status).toBe(201);
  expect(await stored("birds")).toMatchObject([{ habitat: "anywhere" }]);
});

test.each([
  ["without a body", "", 400, { code: "PGRST102", message: "Empty or invalid json" }],
  ["with bad JSON", '{"id": 1,', 400, { code: "PGRST102", message: "Empty or invalid json" }],
  ["of a string instead of an object", '"heron"', 400, { code: "PGRST102", message: "Empty or invalid json" }],
  ["with rows of different keys", [{ id: 1 }, { name: "x" }], 400, { message: "All object keys must match" }],
  ["with rows that are not objects", [1, 2], 400, { code: "PGRST102", message: "All object keys must match" }],
  [
    "into an unknown column",
    { nonsense: 1 },
    400,
    { code: "PGRST204", message: "Could not find the 'nonsense' column of 'birds' in the schema cache" },
  ],
  ["with a value of the wrong type", { id: "one", name: "x" }, 400, { code: "22P02" }],
  ["without a required column", { id: 1 }, 400, { code: "23502" }],
  ["that a policy forbids", { id: 1, name: "forbidden" }, 401, { code: "42501" }],
  [
    "that a trigger throttles",
    { id: 1, name: "throttled" },
    429,
    { code: "PT429", message: "Too fast.", details: "d", hint: "h" },
  ],
])("an insert %s is refused", async (_what, body, status, expected) => {
  const answer = await post("birds", body);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const answered = await answer.json();
  expect(answered).toMatchObject(expected);
  expect(Object.keys(answered).toSorted()).toEqual(["code", "details", "hint", "message"]);
  expect(answer.headers.get("proxy-status")).toBe(`PostgREST; error=${answered.code}`);
  expect(await stored("birds")).toEqual([]);
  expect(api.failures).toEqual([]);
});

test("an insert with a primary key that already exists gets status 409", async () => {
  await api.client().from("birds").insert({ id: 1, name: "Heron" });
  const { status, error } = await api.client().from("birds").insert({ id: 1, name: "Wren" });
  expect(status).toBe(409);
  // On a table with row-level security PostgreSQL gives no details, because they would show the key.
  expect(error).toMatchObject({ code: "23505", details: null });
});

test("an insert into an unknown table gets a 404, which the client reports as an error", async () => {
  const { status, error } = await api.client().from("nonsense").insert({ id: 1 });
  expect(status).toBe(404);
  expect(error).toMatchObject({
    code: "PGRST205",
    message: "Could not find the table 'public.nonsense' in the schema cache",
  });
});

test("an anonymous insert cannot return the new row or set the id or submitted_at", async () => {
  const readBack = await api.client().from("contacts").insert(contact).select();
  expect([readBack.status, readBack.error?.code]).toEqual([401, "42501"]);
  expect((await api.last()).answered["www-authenticate"]).toBe("Bearer");

  const chosen = { ...contact, id: "00000000-0000-4000-8000-000000000000" };
  const withId = await api.client().from("contacts").insert(chosen);
  expect([withId.status, withId.error?.code]).toEqual([401, "42501"]);
  const backdated = await api
    .client()
    .from("contacts")
    .insert({ ...contact, submitted_at: "2020-01-01" });
  expect([backdated.status, backdated.error?.code]).toEqual([401, "42501"]);
  expect(await stored("contacts")).toEqual([]);
});

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${api.url}/rest/v1/${path}`, {
    method: "POST",
    headers: { apikey: defaultPublicKey, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
