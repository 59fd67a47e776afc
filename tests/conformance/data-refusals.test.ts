import { createClient } from "@supabase/supabase-js";
import { afterAll, expect, test } from "vitest";
import { createFixtureTables, fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { startAuth } from "#tests/support/auth-server";
import { madeUpToken, publicKey, startDataApi } from "#tests/support/data-api";
import { createDatabase } from "#tests/support/database";

const database = await createDatabase();
await createFixtureTables(database.owner);
await fillFixtureTables(database.owner);
const api = await startDataApi({ caller: database.caller });
/**
 * A server with both APIs that verifies tokens as the product does. The other server, `api`, accepts every token of
 * `madeUpToken`.
 */
const real = await startAuth();

afterAll(async () => {
  await Promise.all([api.stop(), real.stop()]);
  await database.drop();
});

function send(
  path: string,
  options: RequestInit & { headers?: Record<string, string> } = {},
  server: { url: string } = api,
) {
  return fetch(`${server.url}/rest/v1${path}`, { ...options, headers: { apikey: publicKey, ...options.headers } });
}

test("a request with a missing or wrong API key is refused", async () => {
  const without = await fetch(`${api.url}/rest/v1/birds`);
  expect([without.status, await without.json()]).toEqual([
    401,
    {
      message: "No API key found in request",
      hint: "No `apikey` request header or url param was found.",
    },
  ]);
  const wrong = await createClient(api.url, "sb_publishable_other").from("birds").select();
  expect([wrong.status, wrong.error?.message]).toEqual([401, "Invalid API key"]);
  const secret = await createClient(api.url, "sb_secret_embedded").from("birds").select();
  expect(secret.status).toBe(401);
});

test("the API key can be sent as a query parameter, and is not read as a filter", async () => {
  const answer = await fetch(`${api.url}/rest/v1/birds?apikey=${publicKey}&select=id`);
  expect(answer.status).toBe(200);
});

test.each<[string, string | undefined]>([
  ["no bearer token", undefined],
  ["the API key as bearer token", `Bearer ${publicKey}`],
  ["another key as bearer token", "Bearer sb_secret_x"],
  ["another authorization scheme", "Basic YTpi"],
])("a request with %s is treated as anonymous", async (_name, authorization) => {
  const answer = await send("/rpc/request_settings", authorization ? { headers: { authorization } } : {});
  expect((await answer.json()).claims).toEqual({ role: "anon" });
});

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");

const unsignedToken = (header: unknown) => `${encoded(header)}.${encoded({ role: "service_role" })}.`;

test.each<[string, string, string, string, { url: string }]>([
  ["an empty token", "Bearer", "PGRST301", "Empty JWT is sent in Authorization header", api],
  ["a token of two parts", "Bearer a.b", "PGRST301", "Expected 3 parts in JWT; got 2", api],
  ["a token that is no JWT", "Bearer a.b.c", "PGRST301", "JWT couldn't be decoded", real],
  [
    "a token with algorithm none",
    `Bearer ${unsignedToken({ alg: "none" })}`,
    "PGRST301",
    "Wrong or unsupported encoding algorithm",
    real,
  ],
  [
    "a token with algorithm nOnE",
    `bearer ${unsignedToken({ alg: "nOnE" })}`,
    "PGRST301",
    "Wrong or unsupported encoding algorithm",
    real,
  ],
])("%s is refused with 401 and a Bearer challenge", async (_name, authorization, code, message, server) => {
  const answer = await send("/contacts", { headers: { authorization } }, server);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toEqual({ code, message, details: null, hint: null });
  expect(answer.headers.get("www-authenticate")).toBe(`Bearer error="invalid_token", error_description="${message}"`);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
});

const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };

test("a token signed with an unknown key is refused, even for an insert open to visitors", async () => {
  const token = madeUpToken({ role: "authenticated" });
  const answer = await real.call("/rest/v1/contacts", { body: contact, token });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: "PGRST301", message: "No suitable key or wrong key type" });
});

test("a request with an expired token is refused, and is not treated as anonymous", async () => {
  const { session } = await real.member();
  real.clock.aheadSeconds = 2 * 60 * 60;
  const answer = await real.call("/rest/v1/contacts", { body: contact, token: session.access_token });
  real.clock.aheadSeconds = 0;
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: "PGRST303", message: "JWT expired" });
  expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token", error_description="JWT expired"');
});

test.each<[string, string, RequestInit, number, string]>([
  ["a request for /rest/v1/", "/", {}, 404, "PGRST126"],
  ["a request for /rest/v1 without a path", "", {}, 404, "PGRST126"],
  ["a table path of two parts", "/birds/1", {}, 404, "PGRST125"],
  ["an rpc path without a function", "/rpc/", {}, 404, "PGRST125"],
  ["an rpc path of three parts", "/rpc/a/b", {}, 404, "PGRST125"],
  ["a request for an unknown table", "/user_secrets", {}, 404, "PGRST205"],
  ["a request for a table of another schema", "/auth.users", {}, 404, "PGRST205"],
  ["an upsert by PUT", "/birds?id=eq.1", { method: "PUT", body: "{}" }, 405, "PGRST117"],
  ["an unknown HTTP method", "/birds", { method: "PROPFIND" }, 404, "PGRST125"],
  ["a request for a schema that is not exposed", "/users", { headers: { "accept-profile": "auth" } }, 406, "PGRST106"],
  ["an Accept header for CSV", "/birds", { headers: { accept: "text/csv" } }, 406, "PGRST107"],
  [
    "an Accept header for stripped nulls",
    "/birds",
    { headers: { accept: "application/json;nulls=stripped" } },
    406,
    "PGRST107",
  ],
  [
    "unknown preferences with strict handling",
    "/birds",
    { headers: { prefer: "handling=strict, tx=rollback" } },
    400,
    "PGRST122",
  ],
  ["a body of form data", "/birds", { method: "POST", body: new URLSearchParams({ id: "9" }) }, 400, "PGRST102"],
])("%s is refused", async (_name, path, options, status, code) => {
  const answer = await send(path, options as RequestInit & { headers?: Record<string, string> });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("proxy-status")).toBe(`PostgREST; error=${code}`);
  expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, HEAD, POST, PATCH, DELETE" : null);
  expect(Object.keys(await answer.json())).toEqual(["code", "message", "details", "hint"]);
});

test("Supabase's client reports an error for each feature that the data API lacks", async () => {
  const upsert = await api.client().from("birds").upsert({ id: 1, name: "x" }, { onConflict: "id" });
  expect([upsert.status, upsert.error?.code]).toEqual([400, "PGRST127"]);
  const csv = await api.client().from("birds").select("id,name").csv();
  expect([csv.status, csv.error?.message]).toEqual([406, "None of these media types are available: text/csv"]);
  const schema = await api.client().schema("auth").from("users").select();
  expect([schema.status, schema.error?.message]).toEqual([406, "Invalid schema: auth"]);
  expect(schema.error?.hint).toBe("Only the following schemas are exposed: public");
  expect(api.failures).toEqual([]);
});

test("unknown values of the Prefer header are ignored with handling=lenient", async () => {
  const answer = await send("/birds", {
    headers: { prefer: "handling=lenient, tx=rollback, count=exact, count=planned" },
  });
  expect([answer.status, answer.headers.get("content-range")]).toEqual([200, "0-4/5"]);
});

test("CORS headers let any origin send requests and read error responses and Content-Range", async () => {
  const preflight = await fetch(`${api.url}/rest/v1/contacts`, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "apikey,authorization,content-profile,content-type,x-client-info",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-max-age")).toBe("86400");
  const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
  expect(allowed).toEqual(
    expect.arrayContaining(
      [
        "accept-profile,apikey,authorization,prefer,x-client-info,x-retry-count".split(","),
        "content-profile,content-type,traceparent,tracestate,baggage,range,range-unit".split(","),
      ].flat(),
    ),
  );
  expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");

  const refused = await fetch(`${api.url}/rest/v1/contacts`);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toContain("Content-Range");
});
