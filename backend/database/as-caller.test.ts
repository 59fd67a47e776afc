import { expect, test } from "vitest";
import { createDatabase, visitor } from "#tests/support/database";
import { queryAsCaller } from "./as-caller.ts";
import { Client, DirectClient } from "./client.ts";
import { separatePool } from "./connections.ts";
import { inTransaction } from "./transaction.ts";

const database = await createDatabase();
const { owner, caller } = database;
caller.options.max = 1;
await owner.query(`
  create table birds (name text unique deferrable initially deferred);
  grant select, insert on birds to anon`);

const settings = `select current_user as "user", coalesce(current_setting('request.jwt.claims', true), '') as claims,
  current_setting('statement_timeout') as timeout, current_setting('transaction_read_only') as "readOnly"`;
const query = (text: string, values: unknown[] = [], options = {}) =>
  queryAsCaller(caller, visitor, { text, values }, options);

/** The settings that the next user of the only connection finds. */
const inherited = async () => (await caller.query(settings)).rows;
const nothing = [{ user: "authenticator", claims: "", timeout: "0", readOnly: "off" }];

test("a statement of a caller has the caller's rights and settings, and the next one inherits nothing", async () => {
  const { rows } = await query(settings, [], { readOnly: true });
  expect(rows).toEqual([{ user: "anon", claims: '{"role":"anon"}', timeout: "3s", readOnly: "on" }]);
  expect(await inherited()).toEqual(nothing);
});

test.each([
  ["the settings", "select 1", { request: { method: "GET", path: "a\0b", headers: {} } }, "22021"],
  ["the statement's text", "select from nowhere", {}, "42P01"],
  ["the statement", "insert into birds select (1 / 0)::text", {}, "22012"],
  ["the commit", "insert into birds values ('wren'), ('wren')", {}, "23505"],
  ["a write of a reader", "insert into birds values ('wren')", { readOnly: true }, "25006"],
  ["a right that the caller lacks", "select from auth.users", {}, "42501"],
  ["a second statement", "select 1; select 2", {}, "42601"],
])("an error in %s stores nothing and leaves no setting behind", async (_where, text, options, code) => {
  await expect(query(text, [], options)).rejects.toMatchObject({ code });
  expect(await inherited()).toEqual(nothing);
  expect([caller.totalCount, (await owner.query("select from birds")).rowCount]).toEqual([1, 0]);
});

test("a statement that gets no answer in time closes its connection", async () => {
  const hasty = separatePool(caller, { query_timeout: 50 });
  await expect(queryAsCaller(hasty, visitor, { text: "select pg_sleep(60)" })).rejects.toThrow("Query read timeout");
  expect(hasty.totalCount).toBe(0);
  await hasty.end();
});

test("a refusal costs no connection, and other transactions of the pool go on", async () => {
  const refused = Array.from({ length: 5 }, () => query("select 1 / 0").catch(({ code }) => code));
  const stored = inTransaction(owner, (db) => db.query("select 1 as one"));
  expect(await Promise.all(refused)).toEqual(Array(5).fill("22012"));
  expect((await stored).rows).toEqual([{ one: 1 }]);
  expect(caller.totalCount).toBe(1);
});

test.each([
  ["a connection behind which a pooler may stand prepares no statement under a name", Client, []],
  ["a direct connection prepares a statement that has a name", DirectClient, [{ name: "sum" }]],
])("%s", async (_name, Kind, prepared) => {
  const client = new Kind(database.connection);
  await client.connect();
  const { rows } = await client.query({ name: "sum", text: "select $1::integer + 1 as sum", values: [1] });
  expect(rows).toEqual([{ sum: 2 }]);
  expect((await client.query("select name from pg_prepared_statements")).rows).toEqual(prepared);
  await client.end();
});
