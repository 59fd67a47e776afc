import { expect, test } from "vitest";
import { Refusal } from "#server/http/refusal";
import { fc } from "#tests/support/property";
import type { Column, Routine, Snapshot } from "./catalogue.ts";
import { parseRequest } from "./parse-request.ts";
import { isCheckedBeforeCommit } from "./run-statement.ts";
import { writeSql } from "./write-sql.ts";

const columns = (list: Record<string, string>): Column[] =>
  Object.entries(list).map(([name, type]) => ({ name, type, default: name === "id" ? "nextval('s')" : null }));
const birds = {
  name: "birds",
  columns: columns({ id: "integer", name: "text", 'odd "name': "text" }),
};
const contacts = {
  name: "contacts",
  columns: columns({ name: "text", email: "text" }),
};
const tables = [birds, contacts];
const routine = (name: string, more: Partial<Routine>): Routine => ({
  name,
  parameters: [],
  returns: "value",
  isSet: false,
  isVolatile: false,
  columns: [],
  ...more,
});
const integer = (name: string, hasDefault = false) => ({ name, type: "integer", hasDefault });
const routines = [
  routine("sum", { parameters: [integer("a"), integer("b", true)] }),
  routine("twice", { parameters: [integer("a")] }),
  routine("twice", { parameters: [integer("a"), integer("b", true)] }),
  routine("flock", { parameters: [integer("upto")], returns: "rows", isSet: true, columns: birds.columns }),
  routine("leave", { returns: "nothing", isVolatile: true }),
];
const snapshot: Snapshot = { tables, routines };

function parse(method: string, address: string, body?: string, headers: Record<string, string> = {}) {
  const [path = "", query = ""] = address.split("?");
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  return parseRequest({ method, path, query, headers, body: bytes });
}
const plan = (...request: Parameters<typeof parse>) => writeSql(parse(...request), snapshot, "anon");
const write = (...request: Parameters<typeof parse>) => {
  const { text, values } = plan(...request);
  return { text: text.replaceAll(/\s+/g, " "), values };
};

test("the generated SQL quotes all names and has placeholders instead of values", () => {
  const query = "select=id,x:name::text&name=like.*a&id=in.(1,2)&order=odd%20name.desc.nullslast,id&limit=5&offset=2";
  expect(write("GET", `/birds?${query.replace("odd%20name", '"odd%20\\"name"')}`)).toEqual({
    text:
      `with chosen as ( select source."id" as "id", source."name"::text as "x" from "public"."birds" as source` +
      ` where (source."name" like $1) and (source."id" = any ($2))` +
      ` order by source."odd ""name" desc nulls last, source."id" asc limit $3 offset $4 )` +
      ` select coalesce(json_agg(chosen.*), '[]')::text as body, count(*)::int as returned, null as total from chosen`,
    values: ["%a", ["1", "2"], 5, 2],
  });
});

test("the generated SQL keeps the parentheses of filter groups", () => {
  const { text, values } = write("GET", "/birds?or=(id.eq.1,not.and(name.is.null,id.gt.2))&not.and=(id.lt.9)");
  expect(text).toContain(
    `where ((source."id" = $1) or not ((source."name" is null) and (source."id" > $2))) and not ((source."id" < $3))`,
  );
  expect(values.slice(0, 3)).toEqual(["1", "2", "9"]);
});

test("`Prefer: count=exact` counts all rows that match the filters, without limit and offset", () => {
  const { text, values } = write("GET", "/birds?id=gt.1&limit=2", undefined, { prefer: "count=exact" });
  expect(text).toContain(`(select count(*)::int from "public"."birds" as source where (source."id" > $1)) as total`);
  expect(values).toEqual(["1", 2, 0]);
});

test("a read returns at most 1000 rows, and a HEAD request returns no body", () => {
  expect(plan("GET", "/birds?limit=99999").values).toEqual([1000, 0]);
  expect(write("HEAD", "/birds").text).toContain("select null::text as body");
});

test("an insert without returned rows needs no right to read the table", () => {
  expect(write("POST", "/birds", '{"name": "Wren"}')).toEqual({
    text:
      `with written as ( insert into "public"."birds" as source ("name") select "name"` +
      ` from json_to_recordset($1::json) as given ("name" text) returning 1 )` +
      ` select null::text as body, count(*)::int as returned, null as total from written`,
    values: ['[{"name": "Wren"}]'],
  });
});

test("an insert can return columns and use defaults for missing columns", () => {
  const all = write("POST", "/birds?select=*,n:name", "[{}]", { prefer: "return=representation" });
  expect(all.text).toContain(
    `insert into "public"."birds" as source select from json_array_elements($1::json)` +
      ` returning source.*, source."name" as "n"`,
  );
  const defaults = write("POST", "/birds?columns=id,name", "[{}]", { prefer: "missing=default" });
  expect(defaults.text).toContain(
    `select case when element -> 'id' is null then (nextval('s'))::integer else given."id" end, given."name" from`,
  );
});

test("an update sets its columns in the rows that match, from one JSON object", () => {
  const address = "/birds?columns=name,id&id=in.(1,2)&or=(name.is.null,id.lt.9)&select=id,n:name";
  expect(write("PATCH", address, '{"name": "Wren"}', { prefer: "return=representation" })).toEqual({
    text:
      `with written as ( update "public"."birds" as source set ("name", "id") = (select "name", "id"` +
      ` from json_to_recordset($1::json) as given ("name" text, "id" integer))` +
      ` where (source."id" = any ($2)) and ((source."name" is null) or (source."id" < $3))` +
      ` returning source."id" as "id", source."name" as "n" )` +
      ` select coalesce(json_agg(written.*), '[]')::text as body, count(*)::int as returned, null as total from written`,
    values: ['[{"name": "Wren"}]', ["1", "2"], "9"],
  });
});

test("a delete without returned rows reads only the columns of its filters", () => {
  const counted = write("DELETE", "/birds?id=eq.1", undefined, { prefer: "count=exact" });
  expect(counted).toEqual({
    text:
      `with written as ( delete from "public"."birds" as source where (source."id" = $1) returning 1 )` +
      ` select null::text as body, count(*)::int as returned, count(*)::int as total from written`,
    values: ["1"],
  });
});

test("an update of no columns selects no rows", () => {
  const { text } = write("PATCH", "/birds", "{}");
  expect(text).toContain(`with written as ( select 1 from "public"."birds" as source where false )`);
});

test("the SQL calls a function with named arguments from the JSON body or the query string", () => {
  expect(write("POST", "/rpc/sum", '{"b": 2, "a": 1}').text).toContain(
    `called as materialized (select source.* from json_to_record($1::json) as given ("a" integer, "b" integer),` +
      ` lateral "public"."sum"("a" => given."a", "b" => given."b") as source (value))`,
  );
  const called = write("GET", "/rpc/flock?upto=3&id=gt.1");
  expect(called.text).toContain(`"public"."flock"("upto" => $1::integer) as source)`);
  expect(called.values.slice(0, 2)).toEqual(["3", "1"]);
  expect(write("POST", "/rpc/leave").text).toContain(`"public"."leave"() as source (value)), chosen`);
});

test("GET requests and calls of stable functions run read-only, but inserts do not", () => {
  expect(plan("POST", "/rpc/sum", '{"a": 1}').isReadOnly).toBe(true);
  expect(plan("POST", "/rpc/leave").isReadOnly).toBe(false);
  expect(plan("GET", "/rpc/leave").isReadOnly).toBe(true);
  expect(plan("GET", "/birds").isReadOnly).toBe(true);
  expect(plan("POST", "/birds", "{}").isReadOnly).toBe(false);
});

test.each([
  ["a read", true, plan("GET", "/birds")],
  ["a call of a stable function", true, plan("POST", "/rpc/sum", '{"a": 1}')],
  ["a call of a volatile function", false, plan("POST", "/rpc/leave", "{}")],
  ["an update", false, plan("PATCH", "/contacts?name=eq.Ada", '{"name": "Bob"}')],
  ["a delete", false, plan("DELETE", "/contacts?name=eq.Ada")],
  ["an insert of one contact", true, plan("POST", "/contacts", '{"name": "Ada"}')],
  ["an insert of one contact in an array", true, plan("POST", "/contacts", '[{"name": "Ada"}]')],
  ["an insert of two contacts", false, plan("POST", "/contacts", '[{"name": "Ada"}, {"name": "Bob"}]')],
  ["an insert into a table without deduplication", false, plan("POST", "/birds", '{"name": "Heron"}')],
  [
    "an insert of a contact with a count",
    false,
    plan("POST", "/contacts", '{"name": "Ada"}', { prefer: "count=exact" }),
  ],
  [
    "an insert of a contact with returned rows",
    false,
    plan("POST", "/contacts", '{"name": "Ada"}', { prefer: "return=representation" }),
  ],
])("the plan of %s has `mayRepeat` = %s", (_what, mayRepeat, planned) => {
  expect(planned.mayRepeat).toBe(mayRepeat);
});

test.each<[boolean, ...Parameters<typeof parse>]>([
  [false, "PATCH", "/birds?id=eq.1", "{}", { prefer: "return=representation, count=exact, max-affected=1" }],
  [false, "DELETE", "/birds?id=eq.1"],
  [false, "POST", "/rpc/leave"],
  [true, "DELETE", "/birds?id=eq.1", undefined, { accept: "application/vnd.pgrst.object+json" }],
  [true, "PATCH", "/birds?id=eq.1", "{}", { prefer: "handling=strict, max-affected=1" }],
  [true, "POST", "/rpc/leave", undefined, { prefer: "handling=strict, max-affected=1" }],
  // If the offset lies beyond the total, the call must be rolled back.
  [true, "POST", "/rpc/leave?offset=9", undefined, { prefer: "count=exact" }],
])("that its rows are counted before the commit is %s for %s %s", (checked, ...request) => {
  expect(isCheckedBeforeCommit(parse(...request))).toBe(checked);
});

test.each([
  ["GET", "/nests", undefined, 404, "PGRST205"],
  ["GET", "/birds?colour=eq.red", undefined, 400, "42703"],
  ["GET", "/birds?or=(id.eq.1,and(colour.eq.red))", undefined, 400, "42703"],
  ["GET", "/birds?order=colour", undefined, 400, "42703"],
  ["GET", "/birds?select=constructor", undefined, 400, "42703"],
  ["GET", "/birds?select=id::regclass", undefined, 400, "42704"],
  ["GET", "/birds?select=*,nests(*)", undefined, 400, "PGRST200"],
  ["POST", "/birds", '{"__proto__": 1}', 400, "PGRST204"],
  ["POST", "/birds?columns=colour", "[{}]", 400, "PGRST204"],
  ["POST", "/birds", '[{"id": 1}, {"name": "x"}]', 400, "PGRST102"],
  ["PATCH", "/nests?id=eq.1", "{}", 404, "PGRST205"],
  ["PATCH", "/birds?id=eq.1", '{"constructor": 1}', 400, "PGRST204"],
  ["PATCH", "/birds?colour=eq.red", '{"id": 1}', 400, "42703"],
  ["PATCH", "/birds", '{"id": 1}', 400, "21000"],
  ["DELETE", "/birds?colour=eq.red", undefined, 400, "42703"],
  ["DELETE", "/birds?select=id", undefined, 400, "21000"],
  ["POST", "/rpc/sum", "{}", 404, "PGRST202"],
  ["POST", "/rpc/sum", '{"a": 1, "c": 1}', 404, "PGRST202"],
  ["POST", "/rpc/twice", '{"a": 1}', 300, "PGRST203"],
])("the request %s %s with the body %s is refused", (method, address, body, status, code) => {
  expect(() => plan(method, address, body)).toThrow(expect.objectContaining({ status, code }));
});

test("the argument names choose between functions with the same name", () => {
  expect(plan("POST", "/rpc/twice", '{"a": 1, "b": 2}').text).toContain('"twice"("a" => given."a", "b" => given."b")');
});

test("the generated SQL contains text of the caller only inside quoted names", () => {
  const word = fc.string({ unit: "binary-ascii", maxLength: 20 });
  fc.assert(
    fc.property(word, word, word, (value, alias, column) => {
      const parameters = new URLSearchParams({
        name: `eq.${value}`,
        id: `in.("${value}")`,
        order: column,
        [column]: "eq.1",
      });
      parameters.set("select", `"${alias}":name,${column}`);
      try {
        const read = write("GET", `/birds?${parameters}`);
        const body = JSON.stringify({ [column]: value });
        const update = write("PATCH", `/birds?${parameters}`, body, { prefer: "return=representation" });
        // Once the quoted names are replaced, only text that `writeSql` itself wrote may be left.
        for (const { text } of [read, update])
          expect(text.replaceAll(/"(?:[^"]|"")*"/g, "_")).toMatch(/^[a-z_ ().,*$0-9='[\];:>]*$/);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: 500 },
  );
});
