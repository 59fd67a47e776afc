import { expect, test } from "vitest";
import { Refusal } from "#backend/http/refusal";
import { fc } from "#tests/support/seeded-fast-check";
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
    { numRuns: 200 },
  );
});
