import { afterEach, expect, test } from "vitest";
import { madeUpToken, publicKey } from "#tests/support/data-api";
import { startDataApiWithFixtures } from "#tests/support/data-api-with-fixtures";
import { rowsOf } from "#tests/support/text-table";

// A row is a request to the data API and its answer: method and path, then a header and a body if it has them, then status,
// code and message, then headers of the answer (docs/protocol.md#data-api). What no database is needed to refuse is tested
// beside its code in backend/data-api.

const { api, database } = await startDataApiWithFixtures();
const userId = "00000000-0000-4000-8000-000000000000";
const contact = '"name": "Ada", "company": "Engines", "email": "ada@example.com", "interest": "consulting"';

const member = `authorization: Bearer ${madeUpToken({ role: "authenticated", sub: userId })}`;

const before = await databaseState();
afterEach(async () => {
  expect(await databaseState()).toEqual(before);
  expect(api.failures).toEqual([]);
});

playEach(`
    GET /birds?select=id&apikey=${publicKey}                     200
    POST /rpc/request_settings    authorization: Bearer ${publicKey}   200
    POST /rpc/request_settings    authorization: Bearer sb_secret_x    200
    POST /rpc/request_settings    authorization: Basic YTpi            200
    GET /contacts?select=email                                   401 42501
    GET /contacts?select=id&limit=0                              401 42501
    GET /user_roles                                              401 42501

    GET /                                                        404 PGRST126
    GET /birds/                                                  404 PGRST125
    GET /rpc/a/b                                                 404 PGRST125
    GET /rpc                                                     404 PGRST205
    GET /birds/1                                                 404 PGRST125
    GET /auth.users                                              404 PGRST205
    GET /users                                                   404 PGRST205
    GET /pg_authid                                               404 PGRST205
    GET /bi\0rds                                            404 PGRST205
    GET /birds";drop table birds;--                              404 PGRST205
    PUT /birds?id=eq.1           {}                              405 PGRST117    allow: GET, HEAD, POST, PATCH, DELETE
    PROPFIND /birds                                              404 PGRST125
    GET /users                   accept-profile: auth            406 PGRST106 Invalid schema: auth
    GET /birds                   accept: text/csv                406 PGRST107 None of these media types are available: text/csv
    GET /birds                   accept: application/json;nulls=stripped           406 PGRST107
    GET /birds                   prefer: handling=strict              400 PGRST122

    GET /birds?limit=0                                           200             content-range: */*
    GET /birds?limit=2                                           200             content-range: 0-1/*
    GET /birds?limit=-1                                          416 PGRST103
    GET /birds?offset=two                                        416 PGRST103
    GET /birds?offset=3                                          200             content-range: 3-4/*
    GET /birds?offset=99999999999999999999999                    200             content-range: */*
    GET /birds?select=&order=                                    200             content-range: 0-4/*
    GET /birds?${Array(1000).fill("id=gt.0").join("&")}          200             content-range: 0-4/*

    GET /birds?colour=eq.red                                     400 42703 column birds.colour does not exist
    GET /birds?__proto__=eq.1                                    400 42703
    GET /birds?id"=1;--=eq.1                                     400 42703
    GET /birds?id=eq.one                                         400 22P02
    GET /birds?id=eq.99999999999                                 400 22003
    GET /birds?id=like.1                                         404 42883
    GET /birds?name=is.true                                      400 42804
    GET /birds?name=resembles.x                                  400 PGRST100 "failed to parse filter (resembles.x)" (line 1, column 1)
    GET /birds?name=eq.a\0b                                 400 22021
    GET /birds?name=eq.' or 1=1; drop table birds; --            200             content-range: */*
    GET /birds?name=in.("x') or 1=1--","}'")                     200             content-range: */*
    GET /birds?or=${"(or".repeat(500)}(id.eq.1)${")".repeat(500)}    400 PGRST100
    GET /birds?order=colour                                      400 42703
    GET /birds?order=id.sideways                                 400 PGRST100
    GET /birds?order="id"";drop table birds;--"                  400 PGRST100
    GET /birds?select=nonsense&select=id                         400 42703
    GET /birds?select=ctid                                       400 42703
    GET /birds?select=id,(select version())                      400 PGRST100
    GET /birds?name->>x=eq.1                                     400 42703
    GET /birds?select=${Array(1700).fill("id")}                  400 54011`);

playEach(String.raw`
    POST /birds                                                  400 PGRST102 Empty or invalid json
    POST /birds    content-type: application/x-www-form-urlencoded    id=9    400 PGRST102
    POST /birds    {"nonsense": 1}                               400 PGRST204 Could not find the 'nonsense' column of 'birds' in the schema cache
    POST /birds    {"id\") select 1; drop table birds; --": 1}   400 PGRST204
    POST /birds?columns=id) select 1; drop table birds; --    [{"id": 1}]        400 PGRST100
    POST /birds?columns="id"") values (9); --"                [{"id": 1}]        400 PGRST100
    POST /birds?on_conflict=id) do update set name=1--        {"id": 1, "name": "x"}    409 23505
    POST /birds    {"id": "one", "name": "x"}                    400 22P02
    POST /birds    {"id": ${"9".repeat(60_000)}, "name": "x"}   400 22003
    POST /birds    [{"id": 8, "name": "x"}, {"id": 9, "name": null}]             400 23502
    POST /birds    {"id": 9, "name": "forbidden"}                401 42501
    POST /birds    {"id": 9, "name": "throttled"}                429 PT429 Too fast.
    POST /birds    {"id": 1, "name": "Wren"}                     409 23505
    POST /birds    ${"[".repeat(30_000)}${"]".repeat(30_000)}  400 PGRST102
    POST /birds    {"id": 9, "name": ${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}    400 PGRST100
    POST /nonsense               {"id": 1}                       404 PGRST205 Could not find the table 'public.nonsense' in the schema cache
    POST /contacts_per_week      {}                              405 55000    allow: GET, HEAD
    POST /contacts               {"name": "a\u0000b", "company": ""}             400 22P05
    POST /contacts               {"name": "a${"\0"}b"}           400 PGRST102
    POST /contacts               {"name": "\ud800", "email": "a@b.c"}            400 22P02
    POST /contacts               {"__proto__": {"role": "service_role"}}         400 PGRST204
    POST /contacts               {${contact}, "id": "${userId}"}                 401 42501
    POST /contacts               {${contact}, "submitted_at": "2020-01-01"}      401 42501
    POST /contacts               prefer: return=representation    {${contact}}   401 42501
    POST /contacts               {"name": "${"x".repeat(64 * 1024)}"}            413 PGRST102
    POST /contacts               ${member}    {"name": "${"x".repeat(64 * 1024)}"}          413 PGRST102
    POST /contacts               [${Array(1001).fill("{}")}]     413 PGRST102 One request may insert at most 1000 rows

    PATCH /birds                 {"habitat": "sky"}              400 21000 UPDATE requires a WHERE clause
    PATCH /birds?id=gt.0&limit=1    {"habitat": "sky"}           400 PGRST127
    PATCH /birds?or=()           {"habitat": "sky"}              400 PGRST100
    PATCH /birds?id=eq.1         [{"habitat": "sky"}, {"habitat": "sea"}]        400 PGRST102
    PATCH /birds?id=eq.1         {}                              400 PGRST102
    PATCH /birds?id=eq.1         {"nonsense": 1}                 400 PGRST204
    PATCH /birds?id=eq.1         {"name\" = 1; drop table birds; --": 1}         400 PGRST204
    PATCH /birds?id=eq.1&columns="name"") = (1); --"    {"name": "x"}            400 PGRST100
    PATCH /birds?id=eq.1         {"name": "x", "name": null}     400 23502
    PATCH /birds?id=eq.1         {"name": "forbidden"}           401 42501
    PATCH /birds?id=eq.1         {"name": "throttled"}           429 PT429 Too fast.
    PATCH /birds?id=eq.1         {"id": 9}                       401 42501
    PATCH /contacts_per_week?contacts=eq.0    {"contacts": 1}    405 55000    allow: GET, HEAD
    PATCH /contacts?name=eq.Ada  {"state": "spam"}               401 42501
    PATCH /user_roles?user_id=eq.${userId}    {"role": "admin"}  401 42501
    PATCH /birds?id=eq.1         {"name": "${"x".repeat(64 * 1024)}"}            413 PGRST102

    DELETE /birds                                                400 21000 DELETE requires a WHERE clause
    DELETE /birds?id=gt.0&limit=1                                400 PGRST127
    DELETE /birds?id=1                                           400 PGRST100
    DELETE /birds?habitat=eq.garden' or '1'='1                   204
    DELETE /contacts_per_week?contacts=eq.0                      405 55000    allow: GET, HEAD
    DELETE /contacts?name=eq.Ada                                 401 42501
    DELETE /user_roles?user_id=eq.${userId}                      401 42501`);

playEach(`
    POST /rpc/noargs                                             200
    POST /rpc/fly                {"b": 1, "a": 2}                404 PGRST202 Could not find the function public.fly(a, b) in the schema cache
    POST /rpc/fly                {}                              404 PGRST202 Could not find the function public.fly without parameters in the schema cache
    POST /rpc/has_role           {"_user_id": "${userId}"}       404 PGRST202
    POST /rpc/noargs             {"__proto__": 1}                404 PGRST202
    POST /rpc/set_config         {"setting_name": "role", "new_value": "postgres"}    404 PGRST202
    POST /rpc/twice              {"a": 1}                        300 PGRST203
    POST /rpc/numbers            {"upto": "three"}               400 22P02
    POST /rpc/noargs             {                               400 PGRST102
    POST /rpc/noargs             []                              400 PGRST102
    POST /rpc/revoked_function                                   401 42501
    DELETE /rpc/noargs                                           405 PGRST101 Cannot use the DELETE method on RPC    allow: POST`);

test("a body or a URL that is not UTF-8 and a head of more than 16 KiB are refused", async () => {
  for (const [method, path] of [
    ["POST", "contacts"],
    ["PATCH", "birds?id=eq.1"],
  ] as const) {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const headers = { apikey: publicKey, "content-type": "application/json" };
    expect((await fetch(`${api.url}/rest/v1/${path}`, { method, headers, body })).status).toBe(400);
  }
  const statusOf = async (path: string) => (await fetch(api.url + path, { headers: { apikey: publicKey } })).status;
  expect(await statusOf("/rest/v1/%ff")).toBe(400);
  expect(await statusOf(`/rest/v1/birds?${"id=gt.0&".repeat(10_000)}`)).toBe(431);
});

function playEach(table: string) {
  for (const cells of rowsOf(table)) test(cells.map((cell) => cell.slice(0, 100)).join("  "), () => play(cells));
}

/** Sends the request of a row and compares the answer. Every refusal has the same form, and changes nothing. */
async function play([request = "", ...cells]: string[]) {
  const [, method = "", path = ""] = /^(\S+) (.*)$/s.exec(request) ?? [];
  const at = cells.findIndex((cell) => /^\d{3}( |$)/.test(cell));
  const isHeader = (cell: string) => /^[a-z-]+: ?/.test(cell);
  const body = cells.slice(0, at).find((cell) => !isHeader(cell));
  const answer = await fetch(`${api.url}/rest/v1${encodeURI(path).replaceAll(";", "%3B")}`, {
    method,
    headers: {
      apikey: publicKey,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...Object.fromEntries(cells.slice(0, at).filter(isHeader).map(asHeader)),
    },
    ...(body !== undefined && { body }),
  });
  const [, status, code, message] = /^(\d+)(?: (\S+))?(?: (.+))?$/.exec(cells[at] ?? "") ?? [];
  const text = await answer.text();
  expect([answer.status, text.slice(0, 500)]).toEqual([Number(status), expect.any(String)]);
  expect(Object.fromEntries(answer.headers)).toMatchObject(Object.fromEntries(cells.slice(at + 1).map(asHeader)));
  if (answer.ok) return;

  const refusal = JSON.parse(text);
  expect(Object.keys(refusal)).toEqual(["code", "message", "details", "hint"]);
  expect(refusal).toMatchObject({ code, message: message ?? expect.any(String) });
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("proxy-status")).toBe(`PostgREST; error=${code}`);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const challenge = code === "42501" ? "Bearer" : `Bearer error="invalid_token", error_description="${message}"`;
  expect(answer.headers.get("www-authenticate")).toBe(answer.status === 401 ? challenge : null);
}

function asHeader(cell: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^([a-z-]+): ?(.*)$/.exec(cell) ?? [];
  return [name, value];
}

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
