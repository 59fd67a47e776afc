import { connect } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startBirdsApi } from "#tests/support/birds-api";
import { madeUpToken, publicKey } from "#tests/support/data-api";

const { api, database } = await startBirdsApi();
let initialState: unknown;

beforeAll(async () => {
  initialState = await databaseState();
});
/**
 * Checks that no request has changed the database, that the server has logged no failure, and that it still answers.
 */
afterEach(async () => {
  expect(await databaseState()).toEqual(initialState);
  expect(api.failures).toEqual([]);
  expect((await api.client().from("birds").select("id")).data).toHaveLength(5);
});
/** Only the roles of the site, because other tests make and drop roles of their own in the same PostgreSQL. */
async function databaseState() {
  const { rows } = await database.owner.query(
    `select (select json_agg(b order by id) from birds b) as birds, (select count(*) from contacts) as contacts,
            (select count(*) from user_roles) as roles, (select count(*) from pg_class) as relations,
            (select json_agg(r order by rolname) from pg_roles r
             where rolname in ('anon', 'authenticated', 'service_role', 'authenticator')) as site_roles`,
  );
  return rows;
}

const json = { apikey: publicKey, "content-type": "application/json" };
const userId = "00000000-0000-4000-8000-000000000000";
const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };

async function expectRefusal(answer: Response, statuses: number[]) {
  expect(statuses).toContain(answer.status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const body = await answer.json();
  expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  return body;
}

test.each<[string, string, string | Uint8Array, number]>([
  ["bad JSON", "contacts", '{"name": "Ada"', 400],
  ["an empty body", "contacts", "", 400],
  ["an escaped NUL", "contacts", JSON.stringify({ ...contact, name: "a\0b" }), 400],
  ["a raw NUL", "contacts", `{"name": "a\0b"}`, 400],
  [
    "half a surrogate pair",
    "contacts",
    `{"name": "\\ud800", "company": "", "email": "a@b.c", "interest": "consulting"}`,
    400,
  ],
  ["bytes that are not UTF-8", "contacts", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ["an id chosen by the caller", "contacts", JSON.stringify({ ...contact, id: userId }), 401],
  ["__proto__ as a column", "contacts", '{"__proto__": {"role": "service_role"}}', 400],
  ["constructor as a column", "contacts", '{"constructor": 1}', 400],
  ["SQL as a column", "birds", JSON.stringify({ 'id") select 1; drop table birds; --': 1 }), 400],
  ["SQL in columns", `birds?columns=${encodeURIComponent("id) select 1; drop table birds; --")}`, '[{"id":1}]', 400],
  ["SQL in columns, quoted", `birds?columns=${encodeURIComponent('"id"") values (9); --"')}`, '[{"id":1}]', 400],
  ["SQL in on_conflict", "birds?on_conflict=id)%20do%20update%20set%20name=1--", '{"id": 1, "name": "x"}', 409],
  ["JSON nested 100,000 levels deep", "birds", "[".repeat(100_000) + "]".repeat(100_000), 400],
  [
    "a value nested 5,000 levels deep",
    "birds",
    `{"id": 9, "name": ${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
    400,
  ],
  ["a view that cannot be written to", "contacts_per_week", "{}", 405],
  ["a huge number", "birds", `{"id": ${"9".repeat(100_000)}, "name": "x"}`, 400],
  ["a number too large for its column", "birds", '{"id": 9, "name": "x", "wingspan": 1e5}', 400],
  ["several rows with an invalid last row", "birds", '[{"id": 8, "name": "x"}, {"id": 9, "name": null}]', 400],
  [
    "a call of PostgreSQL's set_config to change the role",
    "rpc/set_config",
    '{"setting_name": "role", "new_value": "postgres"}',
    404,
  ],
  ["a body of more than 2 MiB", "contacts", JSON.stringify({ ...contact, company: "x".repeat(2 * 1024 * 1024) }), 413],
  ["more rows than PostgreSQL has locks", "contacts", JSON.stringify(Array.from({ length: 9000 }, () => contact)), 413],
])("a POST request with %s is refused and changes no data", async (_name, path, body, status) => {
  const answer = await fetch(`${api.url}/rest/v1/${path}`, { method: "POST", headers: json, body: body as BodyInit });
  await expectRefusal(answer, [status]);
});

test.each<[string, string, number]>([
  ["SQL in an order", "birds?order=id;drop table birds", 400],
  ["SQL in an order's direction", "birds?order=id.desc;select pg_sleep(9)", 400],
  ["SQL in a quoted order", 'birds?order="id"";drop table birds;--"', 400],
  ["SQL in a select", "birds?select=id,(select version())", 400],
  ["SQL in a cast", "birds?select=id::text;drop table birds", 400],
  ["a cast to a table's row", "birds?select=id::regclass", 400],
  ["a NUL in an alias", 'birds?select="a\0b":id', 400],
  ["a NUL in a filter", "birds?name=eq.a\0b", 400],
  ["a NUL in a list", "birds?name=in.(a\0b)", 400],
  ["a NUL in a table's name", "bi\0rds", 404],
  ["SQL in a table's name", 'birds";drop table birds;--', 404],
  ["SQL in a column's name", 'birds?id"=1;--=eq.1', 400],
  ["SQL in a limit", "birds?limit=1;drop table birds", 200],
  ["SQL in a filter", "birds?name=eq.' or 1=1; drop table birds; --", 200],
  ["SQL in a list", `birds?name=in.("x') or 1=1--","}'")`, 200],
  ["SQL in an argument", "rpc/greet?name=x'); drop table birds; --", 200],
  ["an array instead of a value", "birds?id=eq.{1,2}", 400],
  ["a repeated query parameter", "birds?select=nonsense&select=id", 400],
  ["__proto__ as a filter", "birds?__proto__=eq.1", 400],
  ["the name of a system catalogue", "pg_authid", 404],
  ["deeply nested groups", `birds?or=${"(or".repeat(500)}(id.eq.1)${")".repeat(500)}`, 400],
  ["a system column", "birds?select=ctid", 400],
  ["1,700 columns", `birds?select=${Array(1700).fill("id")}`, 400],
])("a GET request with %s changes no data", async (_name, path, status) => {
  const address = `${api.url}/rest/v1/${encodeURI(path).replaceAll(";", "%3B")}`;
  const answer = await fetch(address, { headers: { apikey: publicKey } });
  expect(answer.status).toBe(status);
  if (status !== 200) await expectRefusal(answer, [status]);
});

test.each<[string, string, string | Uint8Array, number]>([
  ["bad JSON", "birds?id=eq.1", '{"name": "Ada"', 400],
  ["an empty body", "birds?id=eq.1", "", 400],
  ["a bare null", "birds?id=eq.1", "null", 400],
  ["an escaped NUL", "birds?id=eq.1", JSON.stringify({ name: "a\0b" }), 400],
  ["half a surrogate pair", "birds?id=eq.1", '{"name": "\\ud800"}', 400],
  ["bytes that are not UTF-8", "birds?id=eq.1", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ["__proto__ as a column", "birds?id=eq.1", '{"__proto__": {"name": "x"}}', 400],
  ["SQL as a column", "birds?id=eq.1", JSON.stringify({ 'name" = 1; drop table birds; --': 1 }), 400],
  ["SQL in columns", `birds?id=eq.1&columns=${encodeURIComponent('"name"") = (1); --"')}`, '{"name": "x"}', 400],
  ["a column twice, the last value null", "birds?id=eq.1", '{"name": "x", "name": null}', 400],
  ["a value nested 5,000 levels deep", "birds?id=eq.1", `{"name": ${"[".repeat(5_000)}${"]".repeat(5_000)}}`, 400],
  ["a number too large for its column", "birds?id=eq.1", '{"wingspan": 1e5}', 400],
  ["a NUL in a filter", "birds?name=eq.a%00b", '{"name": "x"}', 400],
  ["a filter that is no filter", "birds?id=1", '{"name": "x"}', 400],
  ["a filter of an empty group", "birds?or=()", '{"name": "x"}', 400],
  ["deeply nested groups", `birds?or=${"(or".repeat(500)}(id.eq.1)${")".repeat(500)}`, '{"name": "x"}', 400],
  ["a system column", "birds?ctid=eq.(0,1)", '{"name": "x"}', 400],
  ["only an API key as filter", `birds?apikey=${publicKey}`, '{"name": "x"}', 400],
  ["the name of a system catalogue", "pg_authid?rolname=eq.anon", '{"rolsuper": true}', 404],
  ["a contact of another", "contacts?name=eq.Ada", '{"state": "spam"}', 401],
  ["a role of one's own", `user_roles?user_id=eq.${userId}`, '{"role": "admin"}', 401],
  ["a body of more than 2 MiB", "birds?id=eq.1", JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) }), 413],
])("a PATCH and a DELETE request with %s change no data", async (_name, path, body, status) => {
  const patched = await fetch(`${api.url}/rest/v1/${path}`, { method: "PATCH", headers: json, body: body as BodyInit });
  await expectRefusal(patched, [status]);
  if (path === "birds?id=eq.1" || path.includes("columns=")) return;
  await expectRefusal(await fetch(`${api.url}/rest/v1/${path}`, { method: "DELETE", headers: json }), [status]);
});

test("a DELETE request with SQL in a filter or in a list of 2000 values removes no row", async () => {
  const values = Array.from({ length: 2000 }, (_, index) => `${index}' or 1=1; --`);
  expect((await api.client().from("birds").delete().in("name", values)).status).toBe(431);
  expect((await api.client().from("birds").delete().in("name", values.slice(0, 200))).status).toBe(204);
  expect((await api.client().from("birds").delete().eq("habitat", "garden' or '1'='1")).status).toBe(204);
});

test("SQL in a filter or an argument is treated as a plain value", async () => {
  const { data } = await api.client().from("birds").select().eq("name", "x' or 1=1; --");
  expect(data).toEqual([]);
  const { data: greeting } = await api.client().rpc("greet", { name: "'); drop table birds; --" });
  expect(greeting).toBe("Hello, '); drop table birds; --");
});

test("a query with 1000 filters or 2000 values succeeds", async () => {
  const ids = Array.from({ length: 2000 }, (_, index) => index);
  expect((await api.client().from("birds").select("id").in("id", ids)).data).toHaveLength(5);
  const filters = Array.from({ length: 1000 }, () => "id=gt.0").join("&");
  const answer = await fetch(`${api.url}/rest/v1/birds?${filters}`, { headers: { apikey: publicKey } });
  expect([answer.status, (await answer.json()).length]).toEqual([200, 5]);
});

test("a URL longer than 16 KiB is refused by Node before the data API sees it", async () => {
  const answer = await fetch(`${api.url}/rest/v1/birds?${"id=gt.0&".repeat(10_000)}`, {
    headers: { apikey: publicKey },
  });
  expect([answer.status, (await answer.json()).statusCode]).toEqual([431, 431]);
});

test("a URL that is not UTF-8 is refused", async () => {
  // Fastify's router refuses the URL before the data API sees it, so the response has Fastify's error code.
  const answer = await fetch(`${api.url}/rest/v1/%ff`, { headers: { apikey: publicKey } });
  expect([answer.status, (await answer.json()).code]).toEqual([400, "FST_ERR_BAD_URL"]);
});

test("forged access tokens are refused", async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const token of [
    `${part({ alg: "none" })}.${part({ role: "service_role" })}`,
    madeUpToken({ role: "authenticator" as "anon" }),
    madeUpToken({ role: 'anon"; set role postgres; --' as "anon" }),
  ]) {
    const answer = await fetch(`${api.url}/rest/v1/contacts`, {
      headers: { apikey: publicKey, authorization: `Bearer ${token}` },
    });
    await expectRefusal(answer, [401, 403]);
  }
});

test("SQL in a claim of a token is treated as a plain value", async () => {
  const token = madeUpToken({ role: "authenticated", sub: "'; reset role; drop table birds; --\0" });
  const { error, status } = await api.client(token).rpc("has_role", { _user_id: userId, _role: "admin" });
  expect([status, error?.code]).toEqual([400, "22P05"]);
});

test("an anonymous client cannot read contacts or roles", async () => {
  for (const path of ["contacts", "contacts?select=email", "contacts?select=id&limit=0", "user_roles"]) {
    const answer = await fetch(`${api.url}/rest/v1/${path}`, { headers: { apikey: publicKey } });
    expect(await expectRefusal(answer, [401])).toMatchObject({ code: "42501" });
  }
  const head = await fetch(`${api.url}/rest/v1/contacts`, { method: "HEAD", headers: { apikey: publicKey } });
  expect(head.status).toBe(401);
});

/** A complete request that would store a contact, where a server takes it for a second one. */
const smuggled = `POST /rest/v1/contacts HTTP/1.1\r\nhost: x\r\napikey: ${publicKey}\r\ncontent-type: application/json\r\ncontent-length: ${JSON.stringify(contact).length}\r\n\r\n${JSON.stringify(contact)}`;

test.each([
  ["no HTTP at all", "nonsense\r\n\r\n"],
  ["a negative length", "content-length: -5\r\n\r\n"],
  ["two lengths", `content-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`],
  [
    "a length beside chunks",
    `content-length: ${smuggled.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ["an encoding that is none", `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["chunked before another encoding", `transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a space before a colon", `transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a header that continues", `content-length: 0\r\n transfer-encoding: chunked\r\n\r\n${smuggled}`],
  ["a chunk without a size", `transfer-encoding: chunked\r\n\r\nx\r\n${smuggled}`],
  ["a NUL in a header", `x: a\0b\r\n\r\n${smuggled}`],
])("a message with %s gets 400 and hides no second request", async (_name, rest) => {
  const head = `POST /rest/v1/contacts HTTP/1.1\r\nhost: x\r\napikey: ${publicKey}\r\ncontent-type: application/json\r\n`;
  const answer = await sendBytes(rest.startsWith("nonsense") ? rest : head + rest);
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 400"]);
});

test("a request that ends before its body does not stop the server", async () => {
  await sendBytes(`POST /rest/v1/contacts HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"name"`);
});

/** Sends bytes, ends the client's side of the connection, and resolves with the answer. */
function sendBytes(text: string): Promise<string> {
  return new Promise((done) => {
    let answer = "";
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1", () => socket.end(text));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => done(answer));
    socket.on("error", () => {});
  });
}
