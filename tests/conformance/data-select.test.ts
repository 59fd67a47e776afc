import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { birds, fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { startBirdsApi } from "#tests/support/birds-api";
import { publicKey } from "#tests/support/data-api";

const { api, database } = await startBirdsApi();

test("rows can be ordered newest first, and times are returned in UTC", async () => {
  const { data, status } = await api.client().from("birds").select("*").order("seen_at", { ascending: false });
  expect(status).toBe(200);
  expect(data?.map(({ id }) => id).slice(2)).toEqual([2, 1, 5]);
  expect(data?.at(-2).seen_at).toBe("2025-11-20T23:51:07.123456+00:00");
  expect(data?.at(-3).seen_at).toBe("2025-11-21T04:00:00+00:00");

  const exchange = await api.last();
  expect(exchange).toMatchObject({ method: "GET", url: "/rest/v1/birds?select=*&order=seen_at.desc", status: 200 });
  expect(exchange.headers).toMatchObject({ "accept-profile": "public", accept: "*/*" });
  expect(exchange.answered).toMatchObject({
    "content-range": "0-4/*",
    "content-type": "application/json; charset=utf-8",
  });
});

test("rows can be ordered by two columns, with nulls last", async () => {
  const { data } = await api
    .client()
    .from("birds")
    .select("id")
    .order("habitat", { ascending: false, nullsFirst: false })
    .order("id");
  expect(data?.map(({ id }) => id)).toEqual([4, 1, 5, 2, 3]);
  expect((await api.last()).url).toBe("/rest/v1/birds?select=id&order=habitat.desc.nullslast%2Cid.asc");
});

test("range() returns a page and the count of all rows", async () => {
  const names = () => api.client().from("birds").select("id, name", { count: "exact" }).order("id");
  const first = await names().range(0, 1);
  expect([first.status, first.count, first.data]).toEqual([
    206,
    5,
    birds.slice(0, 2).map(({ id, name }) => ({ id, name })),
  ]);

  const exchange = await api.last();
  expect(exchange.url).toBe("/rest/v1/birds?select=id%2Cname&order=id.asc&offset=0&limit=2");
  expect(exchange.headers.prefer).toBe("count=exact");
  expect(exchange.answered).toMatchObject({ "content-range": "0-1/5" });

  const all = await names().range(0, 24);
  expect([all.status, all.count, all.data?.length]).toEqual([200, 5, 5]);
  const last = await names().range(4, 9);
  expect([last.status, last.count, last.data?.length]).toEqual([206, 5, 1]);
  expect((await api.last()).answered["content-range"]).toBe("4-4/5");
  const end = await names().range(5, 9);
  expect([end.status, end.count, end.data]).toEqual([206, 5, []]);
  expect((await api.last()).answered["content-range"]).toBe("*/5");
});

test("a page beyond the last row is refused with count=exact, and empty without a count", async () => {
  const beyond = await api.client().from("birds").select("*", { count: "exact" }).range(100, 109);
  expect(beyond.status).toBe(416);
  expect(beyond.error).toMatchObject({
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details: "An offset of 100 was requested, but there are only 5 rows.",
  });
  expect((await api.last()).answered["content-range"]).toBe("*/5");

  const uncounted = await api.client().from("birds").select("*").range(100, 109);
  expect([uncounted.status, uncounted.data]).toEqual([200, []]);
  expect((await api.last()).answered["content-range"]).toBe("*/*");
});

test.each(["planned", "estimated"] as const)("a count requested as %s is the exact count", async (count) => {
  const answer = await api.client().from("birds").select("*", { count }).eq("habitat", "lake");
  expect([answer.status, answer.count]).toEqual([200, 2]);

  const head = () => api.client().from("birds").select("*", { count, head: true });
  expect([(await head()).status, (await head().limit(2)).status]).toEqual([200, 206]);
});

test("a query with a count succeeds even if the count is zero", async () => {
  const answer = await api.client().from("birds").select("*", { count: "exact" }).eq("id", -1);
  expect([answer.status, answer.count, answer.data]).toEqual([200, 0, []]);
  expect((await api.last()).answered["content-range"]).toBe("*/0");
});

test("a HEAD request returns the headers of GET without a body and without Content-Length", async () => {
  const { count, status, data } = await api.client().from("birds").select("*", { count: "exact", head: true });
  expect({ count, status, data }).toEqual({ count: 5, status: 200, data: null });
  const exchange = await api.last();
  expect(exchange).toMatchObject({ method: "HEAD", url: "/rest/v1/birds?select=*" });

  const { headers, body } = await raw("HEAD", "/rest/v1/birds?select=*");
  expect(body).toBe("");
  expect(headers).toMatchObject({ "content-range": "0-4/*", "content-type": "application/json; charset=utf-8" });
  expect(headers).not.toHaveProperty("content-length");
});

test("single() returns one row as an object, and an error for no row or several rows", async () => {
  const one = await api.client().from("birds").select("name").eq("id", 1).single();
  expect([one.status, one.data]).toEqual([200, { name: "Heron" }]);
  const exchange = await api.last();
  expect(exchange.headers.accept).toBe("application/vnd.pgrst.object+json");
  expect(exchange.answered["content-type"]).toBe("application/vnd.pgrst.object+json; charset=utf-8");

  const many = await api.client().from("birds").select("name").single();
  expect(many.status).toBe(406);
  expect(many.error).toMatchObject({
    code: "PGRST116",
    message: "Cannot coerce the result to a single JSON object",
    details: "The result contains 5 rows",
  });
  expect((await api.last()).answered["content-type"]).toBe("application/json; charset=utf-8");
  const none = await api.client().from("birds").select("name").eq("id", -1).single();
  expect(none.error?.details).toBe("The result contains 0 rows");
});

test("maybeSingle() returns null for no row, and sends no special Accept header", async () => {
  const none = await api.client().from("birds").select("name").eq("id", -1).maybeSingle();
  expect([none.status, none.data, none.error]).toEqual([200, null, null]);
  expect((await api.last()).headers.accept).toBe("*/*");
});

test("selected columns can be renamed, cast and repeated, and their names can contain quotes", async () => {
  const select = 'called:name, id, id::text, name, chosen:sings, "odd ""name"';
  const { data, error } = await api.client().from("birds").select(select.replace('""', '\\"')).eq("id", 2);
  expect(error).toBeNull();
  expect(data).toEqual([{ called: "Robin", id: "2", name: "Robin", chosen: true, 'odd "name': null }]);
});

test.each([
  ["limit=0", 200, "*/*", 0],
  ["limit=2", 200, "0-1/*", 2],
  ["limit=two", 200, "0-4/*", 5],
  ["limit=99999999999999999999999", 200, "0-4/*", 5],
  ["offset=-3", 200, "0-4/*", 5],
  ["offset=3", 200, "3-4/*", 2],
  ["offset=99999999999999999999999", 200, "*/*", 0],
  ["select=", 200, "0-4/*", 5],
  ["order=", 200, "0-4/*", 5],
])("the query %s gives status %i, Content-Range %s and %i rows", async (query, status, range, rows) => {
  const answer = await get(`birds?${query}`);
  expect([answer.status, answer.headers.get("content-range")]).toEqual([status, range]);
  expect(await answer.json()).toHaveLength(rows);
});

test("a negative limit is refused, and a Range header has no effect", async () => {
  const negative = await get("birds?limit=-1");
  expect(negative.status).toBe(416);
  expect(await negative.json()).toMatchObject({ details: "Limit should be greater than or equal to zero." });

  expect((await get("birds?offset=1", { range: "0-2" })).headers.get("content-range")).toBe("1-4/*");
});

test("a response has at most 1000 rows, but the count includes all matching rows", async () => {
  await database.owner.query("insert into birds (id, name) select n, 'Starling' from generate_series(1000, 2499) n");
  try {
    const { data, count, status } = await api.client().from("birds").select("id", { count: "exact" }).limit(5000);
    expect([data?.length, count, status]).toEqual([1000, 1505, 206]);
  } finally {
    await fillFixtureTables(database.owner);
  }
});

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`${api.url}/rest/v1/${path}`, { headers: { apikey: publicKey, ...headers } });
}

/** Sends a request without `fetch`: if a response to HEAD wrongly had a body, `fetch` would hide that body. */
function raw(method: string, path: string) {
  return new Promise<{ headers: Record<string, unknown>; body: string }>((done, fail) => {
    const sent = httpRequest(api.url + path, { method, headers: { apikey: publicKey } }, (answer) => {
      let body = "";
      answer.on("data", (chunk) => {
        body += chunk;
      });
      answer.on("end", () => done({ headers: answer.headers, body }));
    });
    sent.on("error", fail).end();
  });
}
