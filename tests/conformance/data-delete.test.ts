import { beforeEach, expect, test } from "vitest";
import { fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { startBirdsApi } from "#tests/support/birds-api";
import { publicKey } from "#tests/support/data-api";

const { api, database, clientOf } = await startBirdsApi();
const admin = await clientOf({ admin: true });
const member = await clientOf({ admin: false });

beforeEach(() => fillFixtureTables(database.owner));

const left = async () =>
  (await database.owner.query("select id from public.birds order by id")).rows.map(({ id }) => id);
const all = [1, 2, 3, 4, 5];

test("a delete removes the rows that match and that a policy allows, and answers 204 without a body", async () => {
  const { error, status, data } = await api.client().from("birds").delete().in("id", [1, 2, 99]);
  expect({ error, status, data }).toEqual({ error: null, status: 204, data: null });
  expect(await left()).toEqual([1, 3, 4, 5]);

  const exchange = await api.last();
  expect(exchange).toMatchObject({ method: "DELETE", url: "/rest/v1/birds?id=in.%281%2C2%2C99%29", body: "" });
  expect(exchange.headers["content-type"]).toBe("application/json");
  expect(exchange.answered).toMatchObject({ "content-range": "*/*" });
  expect(exchange.answered).not.toHaveProperty("content-type");
});

test("a delete with select and count returns the removed rows and their number", async () => {
  const removal = api.client().from("birds").delete({ count: "exact" }).gt("id", 0).select("id, name");
  const { status, data, count } = await removal;
  const removed = [
    { id: 2, name: "Robin" },
    { id: 3, name: "Wren, small" },
  ];
  expect([status, data, count]).toEqual([200, removed, 2]);
  expect((await api.last()).answered).toMatchObject({
    "content-range": "*/2",
  });
});

test("a delete that matches no row is a success", async () => {
  const { status, error } = await api.client().from("birds").delete().eq("id", 99);
  expect([status, error]).toEqual([204, null]);
  expect((await api.client().from("birds").delete().eq("id", 99).select()).data).toEqual([]);
});

test("with single() or maxAffected(), a delete of another number of rows is refused and rolled back", async () => {
  const remove = () => api.client().from("birds").delete().gt("id", 0);
  const single = await remove().select().single();
  expect([single.status, single.error?.code]).toEqual([406, "PGRST116"]);
  const limited = await remove().maxAffected(1);
  expect([limited.status, limited.error?.code]).toEqual([400, "PGRST124"]);
  expect(await left()).toEqual(all);
  const one = await api.client().from("birds").delete().eq("id", 2).select("name").single();
  expect([one.status, one.data]).toEqual([200, { name: "Robin" }]);
});

test.each<[string, string, number, Record<string, unknown>]>([
  ["without a filter", "birds", 400, { code: "21000", message: "DELETE requires a WHERE clause" }],
  ["with a limit", "birds?id=gt.0&limit=1", 400, { code: "PGRST127" }],
  ["with a filter on an unknown column", "birds?nonsense=eq.1", 400, { code: "42703" }],
  ["with a value of the wrong type", "birds?id=eq.one", 400, { code: "22P02" }],
  ["of an unknown table", "nests?id=eq.1", 404, { code: "PGRST205" }],
  ["of a view of groups", "contacts_per_week?contacts=eq.0", 405, { code: "55000" }],
  ["without the right to it", "contacts?name=eq.Ada", 401, { code: "42501" }],
])("a delete %s is refused", async (_what, path, status, expected) => {
  const answer = await fetch(`${api.url}/rest/v1/${path}`, { method: "DELETE", headers: { apikey: publicKey } });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject(expected);
  expect([await left(), api.failures]).toEqual([all, []]);
});

test("only an admin deletes contacts; for a member, row-level security skips all rows", async () => {
  await database.owner.query(
    "insert into contacts (name, email, interest) values ('Ada', 'a@example.com', 'consulting')",
  );
  const remove = (client: typeof admin) => client.from("contacts").delete().eq("name", "Ada").select("name");
  expect(await remove(member)).toMatchObject({ status: 200, data: [] });
  expect(await remove(admin)).toMatchObject({ status: 200, data: [{ name: "Ada" }] });
});
