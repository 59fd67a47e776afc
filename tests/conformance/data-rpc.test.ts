import { beforeEach, expect, test } from "vitest";
import { birds, fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { startBirdsApi } from "#tests/support/birds-api";
import { madeUpToken, publicKey } from "#tests/support/data-api";

const { api, database } = await startBirdsApi();

const admin = "00000000-0000-4000-8000-00000000000a";
const member = "00000000-0000-4000-8000-00000000000b";
await database.owner.query("insert into auth.users (id, email) values ($1, 'a@example.com'), ($2, 'b@example.com')", [
  admin,
  member,
]);
await database.owner.query("insert into user_roles (user_id, role) values ($1, 'admin')", [admin]);
const tokenOf = (sub: string) => madeUpToken({ role: "authenticated", sub });

beforeEach(() => fillFixtureTables(database.owner));

test("has_role returns true only if an admin passes their own user id", async () => {
  const hasRole = (sub: string, about: string) =>
    api.client(tokenOf(sub)).rpc("has_role", { _user_id: about, _role: "admin" });
  const own = await hasRole(admin, admin);
  expect([own.status, own.data]).toEqual([200, true]);

  const exchange = await api.last();
  expect(exchange).toMatchObject({
    method: "POST",
    url: "/rest/v1/rpc/has_role",
    body: JSON.stringify({ _user_id: admin, _role: "admin" }),
  });
  expect(exchange.headers.authorization).toBe(`Bearer ${tokenOf(admin)}`);
  expect(exchange.answered).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-range": "0-0/*",
    "content-length": "4",
  });
  expect((await hasRole(member, member)).data).toBe(false);
  expect((await hasRole(member, admin)).data).toBe(false);
});

test("has_role can be called by GET and HEAD", async () => {
  const args = { _user_id: admin, _role: "admin" };
  const got = await api.client(tokenOf(admin)).rpc("has_role", args, { get: true });
  expect([got.status, got.data]).toEqual([200, true]);
  const exchange = await api.last();
  expect(exchange).toMatchObject({ method: "GET", url: `/rest/v1/rpc/has_role?_user_id=${admin}&_role=admin` });
  expect(exchange.headers["accept-profile"]).toBe("public");

  const headed = await api.client(tokenOf(admin)).rpc("has_role", args, { head: true });
  expect([headed.status, headed.data]).toEqual([200, null]);
  expect((await api.last()).method).toBe("HEAD");
});

test("an anonymous client cannot call has_role", async () => {
  const { status, error } = await api.client().rpc("has_role", { _user_id: admin, _role: "admin" });
  expect(status).toBe(401);
  expect(error).toMatchObject({ code: "42501", message: "permission denied for function has_role" });
});

test("a signed-in user who calls a function without permission gets status 403", async () => {
  const { status, error } = await api.client(tokenOf(member)).rpc("revoked_function");
  expect([status, error?.code]).toEqual([403, "42501"]);
});

test("a function can be called with no arguments, all arguments or only the required arguments", async () => {
  expect((await api.client().rpc("noargs")).data).toBe("nothing asked");
  expect((await api.last()).body).toBe("{}");
  expect((await api.client().rpc("greet", { name: "Wren" })).data).toBe("Hello, Wren");
  expect((await api.client().rpc("greet", { greeting: "Hi", name: "Wren" })).data).toBe("Hi, Wren");
  expect((await api.client().rpc("greet", { name: "eq x" }, { get: true })).data).toBe("Hello, eq x");

  const bodiless = await fetch(`${api.url}/rest/v1/rpc/noargs`, { method: "POST", headers: { apikey: publicKey } });
  expect([bodiless.status, await bodiless.json()]).toEqual([200, "nothing asked"]);
});

test("a function that returns void can write, and the response has status 204", async () => {
  const { status, data, error } = await api.client().rpc("add_bird", { id: 9, name: "Stork" });
  expect([status, data, error]).toEqual([204, null, null]);
  expect((await api.client().from("birds").select("name").eq("id", 9)).data).toEqual([{ name: "Stork" }]);
});

test("a function that writes cannot be called by GET", async () => {
  const { status, error } = await api.client().rpc("add_bird", { id: 9, name: "Stork" }, { get: true });
  expect([status, error?.code]).toEqual([405, "25006"]);
  expect((await api.last()).answered.allow).toBe("POST");
  expect((await api.client().from("birds").select("name").eq("id", 9)).data).toEqual([]);
});

test("a function can return one row, several rows, a list of values or a table", async () => {
  const garden = await api.client().rpc("birds_in", { place: "garden" });
  expect(garden.data).toMatchObject([{ name: "Robin" }, { name: "Wren, small" }]);
  expect((await api.last()).answered["content-range"]).toBe("0-1/*");
  expect((await api.client().rpc("numbers", { upto: 3 })).data).toEqual([1, 2, 3]);
  expect((await api.client().rpc("spans")).data).toMatchObject(
    birds.map(({ name, wingspan }) => ({ bird: name, span: wingspan })),
  );
  expect((await api.client().rpc("first_bird")).data).toMatchObject({ id: 1, name: "Heron" });
});

test("a function takes lists and times, and its rows can be asked for as one", async () => {
  const search = (args: object) => api.client().rpc("search_birds", args).select("id");
  expect((await search({ _names: ["Heron", "Wren, small", 'a "quote"'] })).data).toEqual([{ id: 1 }, { id: 3 }]);
  expect((await search({ _names: [] })).data).toEqual([]);
  expect((await search({ _names: null, _since: "2025-11-21T00:00:00Z" })).data).toEqual([{ id: 2 }]);
  expect((await search({ _names: ["Heron"] }).maybeSingle()).data).toEqual({ id: 1 });
  expect((await search({ _names: "Heron" })).error?.code).toBe("22P02");
  expect((await api.client().rpc("flock").single()).data).toEqual({ size: 5, is_estimate: false });
});

test("a call that writes more rows than maxAffected() allows is rolled back", async () => {
  const { status, error } = await api.client().rpc("add_bird", { id: 9, name: "Stork" }).maxAffected(0);
  expect([status, error?.code]).toEqual([400, "PGRST124"]);
  expect((await api.client().from("birds").select("name").eq("id", 9)).data).toEqual([]);
});

test("the result of a function can be filtered, ordered and counted like a table", async () => {
  const { data, count, status } = await api
    .client()
    .rpc("birds_in", { place: "lake" }, { count: "exact" })
    .select("name")
    .gt("id", 0)
    .order("id", { ascending: false })
    .limit(1);
  expect([status, count, data]).toEqual([206, 2, [{ name: "50%_crane" }]]);
  const single = await api.client().rpc("birds_in", { place: "wood" }).select("id").single();
  expect(single.data).toEqual({ id: 4 });
});

test("SQL functions can read a request's method, path and headers, but no credentials", async () => {
  const answer = await fetch(`${api.url}/rest/v1/rpc/request_settings`, {
    headers: {
      apikey: publicKey,
      authorization: `Bearer ${tokenOf(member)}`,
      cookie: "session=1",
      "x-forwarded-for": "6.6.6.6",
      "X-Client-Info": "test",
    },
  });
  const settings = await answer.json();
  expect(settings).toMatchObject({
    method: "GET",
    path: "/rpc/request_settings",
    claims: { role: "authenticated", sub: member },
    role: "authenticated",
    zone: "UTC",
    headers: { "x-client-info": "test", "x-forwarded-for": "127.0.0.1" },
  });
  for (const name of ["authorization", "apikey", "cookie"]) expect(settings.headers).not.toHaveProperty(name);
});

test.each<[string, string, unknown, number, Record<string, unknown>]>([
  [
    "an unknown function",
    "fly",
    { b: 1, a: 2 },
    404,
    { code: "PGRST202", message: "Could not find the function public.fly(a, b) in the schema cache", hint: null },
  ],
  [
    "an unknown function without arguments",
    "fly",
    {},
    404,
    { code: "PGRST202", message: "Could not find the function public.fly without parameters in the schema cache" },
  ],
  [
    "a missing argument",
    "has_role",
    { _user_id: admin },
    404,
    { code: "PGRST202", hint: "Perhaps you meant to call the function public.has_role(_role, _user_id)" },
  ],
  ["an unknown argument", "noargs", { a: 1 }, 404, { code: "PGRST202" }],
  ["__proto__ as an argument", "noargs", '{"__proto__": 1}', 404, { code: "PGRST202" }],
  ["an ambiguous call", "twice", { a: 1 }, 300, { code: "PGRST203" }],
  ["an argument of the wrong type", "numbers", { upto: "three" }, 400, { code: "22P02" }],
  ["an unknown role", "has_role", { _user_id: admin, _role: "king" }, 400, { code: "22P02" }],
  ["bad JSON", "noargs", "{", 400, { code: "PGRST102" }],
  ["a JSON array instead of an object", "noargs", [], 400, { code: "PGRST102" }],
  ["a trigger function", "check_bird", {}, 404, { code: "PGRST202" }],
])("a function call is refused: %s", async (_what, name, args, status, expected) => {
  const answer = await fetch(`${api.url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { apikey: publicKey, authorization: `Bearer ${tokenOf(admin)}`, "content-type": "application/json" },
    body: typeof args === "string" ? args : JSON.stringify(args),
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject(expected);
});

test.each(["PUT", "PATCH", "DELETE"])("a function cannot be called by %s", async (method) => {
  const answer = await fetch(`${api.url}/rest/v1/rpc/noargs`, { method, headers: { apikey: publicKey } });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  expect(await answer.json()).toMatchObject({ code: "PGRST101", message: `Cannot use the ${method} method on RPC` });
});
