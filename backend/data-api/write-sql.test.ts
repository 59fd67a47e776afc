import { expect, test } from "vitest";
import { Refusal } from "#backend/http/refusal";
import { fc } from "#tests/support/seeded-fast-check";
import { parseRequest } from "./parse-request.ts";
import { writeSql } from "./write-sql.ts";

const columns = ["id", "name", 'odd "name'].map((name) => ({ name, type: "text" }));
const snapshot = { tables: [{ name: "birds", columns }], routines: [] };

function write(method: string, query: string, body = "", headers: Record<string, string> = {}) {
  const request = { method, url: `?${query}`, params: { "*": "birds" }, headers, body: Buffer.from(body) };
  return writeSql(parseRequest(request), snapshot);
}

/** Returns the condition and the values of a request with this filter. */
function writeFilter(name: string, text: string) {
  const { text: sql, values } = write("GET", String(new URLSearchParams([[name, text]])));
  return [/ where (.*) limit /.exec(sql)?.[1]?.replaceAll("source.", ""), ...values.slice(0, -2)];
}

test.each([
  ["eq.", '("name" = $1)', ""],
  ['eq."x".y,z)', '("name" = $1)', '"x".y,z)'],
  ["not.gte.5", 'not ("name" >= $1)', "5"],
  ["eq.not.null", '("name" = $1)', "not.null"],
  ["in.()", '("name" = any ($1))', []],
  ['in.("")', '("name" = any ($1))', [""]],
  ["in.({a,b},c)", '("name" = any ($1))', ["{a", "b}", "c"]],
  ['in.(a,"b,c","d(e)","q\\"r\\\\",x"y)', '("name" = any ($1))', ["a", "b,c", "d(e)", 'q"r\\', 'x"y']],
  ['in.("a"b,c)', '("name" = any ($1))', ['"a"b', "c"]],
  ["is.NULL", '("name" is null)'],
  ["not.is.not_null", 'not ("name" is not null)'],
])("the filter name=%s is written as %s", (text, ...written) => {
  expect(writeFilter("name", text)).toEqual(written);
});

test.each([
  ["(id.eq.1)", '(("id" = $1))', "1"],
  ['(name.eq."a,b",id.gt.2)', '(("name" = $1) or ("id" > $2))', "a,b", "2"],
  ["(name.eq.x.y z)", '(("name" = $1))', "x.y z"],
  ['("odd \\"name".eq.1)', '(("odd ""name" = $1))', "1"],
  [
    "(id.in.(1,2),not.and(id.eq.1,id.eq.2))",
    '(("id" = any ($1)) or not (("id" = $2) and ("id" = $3)))',
    ["1", "2"],
    "1",
    "2",
  ],
])("the group or=%s is written as %s, also as not.or", (text, condition, ...values) => {
  expect(writeFilter("or", text)).toEqual([condition, ...values]);
  expect(writeFilter("not.or", text)).toEqual([`not ${condition}`, ...values]);
});

test.each([
  ["name", "nope.x", 1, "operator"],
  ["name", "eqx", 1, "operator"],
  ["name", "in.(a", 6, '","'],
  ["id", "is.maybe", 9, "one of null"],
  ["or", "(id.eq.1,)", 10, "field name"],
  ["or", "(id)", 4, '"."'],
])("the filter %s=%s is refused with the position of the error", (name, text, column, expected) => {
  const details = expected === '","' ? expect.any(String) : expect.stringContaining(expected);
  const message = expect.stringContaining(`(line 1, column ${column})`);
  expect(() => writeFilter(name, text)).toThrow(expect.objectContaining({ code: "PGRST100", message, details }));
});

test("any `in` list written by Supabase's client gives the same values", () => {
  const value = fc.string({ unit: "binary-ascii", minLength: 1 }).filter((text) => !/["\\]/.test(text));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const written = values.map((each) => (/[,()]/.test(each) ? `"${each}"` : each)).join(",");
      expect(writeFilter("name", `in.(${written})`).at(-1)).toEqual(values);
    }),
  );
});

test("any text is written or refused, and a statement has a caller's text only as a parameter", () => {
  const piece = fc.constantFrom(...'eq. in.( not. or( and( ) , " \\ { } is. a id name'.split(" "));
  const word = fc.oneof(
    fc.string({ unit: "binary-ascii", maxLength: 20 }),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(word, word, word, fc.constantFrom("name", "or", "not.and"), (value, column, text, filter) => {
      const parameters = new URLSearchParams({ name: `eq.${value}`, order: column, [column]: "eq.1", [filter]: text });
      parameters.set("select", `name,${column}`);
      try {
        const body = JSON.stringify({ [column]: value });
        // Once the quoted names are replaced, only text that `writeSql` itself wrote may be left.
        for (const { text: sql } of [
          write("GET", String(parameters)),
          write("PATCH", String(parameters), body, { prefer: "return=representation" }),
        ])
          expect(sql.replaceAll(/"(?:[^"]|"")*"/g, "_")).toMatch(/^[a-z_\s().,*$0-9='[\]:>-]*$/);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }),
    { numRuns: 300 },
  );
});
