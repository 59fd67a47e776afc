import { expect, test } from "vitest";
import { Refusal } from "#backend/http/refusal";
import { fc } from "#tests/support/seeded-fast-check";
import { isFilter, parseFilter } from "./parse-filter.ts";

test.each([
  ["eq.", { operator: "eq", value: "" }],
  ['eq."x".y,z)', { operator: "eq", value: '"x".y,z)' }],
  ["not.gte.5", { negated: true, operator: "gte", value: "5" }],
  ["eq.not.null", { negated: false, operator: "eq", value: "not.null" }],
  ["like(any).{a,b}", { operator: "like", quantifier: "any", value: "{a,b}" }],
  ["in.()", { operator: "in", values: [] }],
  ['in.("")', { operator: "in", values: [""] }],
  ["in.(,)", { operator: "in", values: ["", ""] }],
  ['in.(a,"b,c","d(e)","q\\"r\\\\",x"y)', { operator: "in", values: ["a", "b,c", "d(e)", 'q"r\\', 'x"y'] }],
  ['in.("a"b,c)', { operator: "in", values: ['"a"b', "c"] }],
  ["is.NULL", { operator: "is", truth: "null" }],
  ["not.is.not_null", { negated: true, operator: "is", truth: "not_null" }],
])("the filter name=%s is parsed", (text, expected) => {
  expect(parseFilter("name", text)).toMatchObject({ column: "name", ...expected });
});

test.each([
  ["(id.eq.1)", [{ column: "id", value: "1" }]],
  ['(name.eq."a,b",id.gt.2)', [{ value: "a,b" }, { value: "2" }]],
  ["(name.like(all).{a,b},id.eq.1)", [{ quantifier: "all", value: "{a,b}" }, { value: "1" }]],
  ["(name.eq.x.y z)", [{ value: "x.y z" }]],
  ['("odd name".eq.1)', [{ column: "odd name" }]],
  ["(id.in.(1,2),not.and(a.eq.1,b.eq.2))", [{ values: ["1", "2"] }, { operator: "and", negated: true }]],
])("the filter group or=%s is parsed, also as not.or", (text, filters) => {
  expect(parseFilter("or", text)).toMatchObject({ operator: "or", negated: false, filters });
  expect(parseFilter("not.or", text)).toMatchObject({ operator: "or", negated: true, filters });
});

test.each([
  ["name", "nope.x", 1, "operator"],
  ["name", "", 1, "operator"],
  ["name", "eqx", 1, "operator"],
  ["name", "in.(a", 6, '","'],
  ["id", "is.maybe", 9, "one of null"],
  ["or", "(id.eq.1,)", 10, "field name"],
  ["or", "(id)", 4, '"."'],
])("the filter %s=%s is refused with the position of the error", (name, text, column, expected) => {
  const refusal = refusalOf(() => parseFilter(name, text));
  expect(refusal).toMatchObject({ status: 400, code: "PGRST100" });
  if (expected !== '","') expect(refusal?.details).toContain(expected);
  expect(refusal?.message).toContain(`(line 1, column ${column})`);
});

test("any filter text is either parsed or refused; no other error occurs", () => {
  const piece = fc.constantFrom(...'eq. in.( not. or( and( ) , " \\ { } (any). is. a'.split(" "));
  const text = fc.oneof(
    fc.string({ unit: "binary-ascii" }),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(fc.constantFrom("name", "or", "not.and"), text, (name, value) => {
      try {
        parseFilter(name, value);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
  );
});

test("any `in` list written by Supabase's client is parsed to the same values", () => {
  const value = fc.string({ unit: "binary-ascii", minLength: 1 }).filter((text) => !/["\\]/.test(text));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const written = values.map((each) => (/[,()]/.test(each) ? `"${each}"` : each)).join(",");
      expect(parseFilter("name", `in.(${written})`)).toMatchObject({ values });
    }),
  );
});

test("braces in an `in` list are literal: a comma inside braces separates values", () => {
  expect(parseFilter("name", "in.({a,b},c)")).toMatchObject({ values: ["{a", "b}", "c"] });
});

test("a parameter is a filter if its value begins with an operator, else an argument", () => {
  expect(["eq.1", "not.in.(1)", "like(any).{a}"].every((value) => isFilter("x", value))).toBe(true);
  expect(["", "eq", "equal.1", "not.", "Heron"].some((value) => isFilter("x", value))).toBe(false);
  expect(isFilter("or", "anything")).toBe(true);
});

function refusalOf(work: () => unknown): Refusal | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  return undefined;
}
