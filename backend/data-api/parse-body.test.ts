import { expect, test } from "vitest";
import { parsePayload } from "./parse-body.ts";

const parse = (text: string, contentType?: string) => parsePayload(new TextEncoder().encode(text), contentType);

test("a request body is an object or an array; `keys` is undefined if the rows' keys differ", () => {
  expect(parse('{"a": 1, "b": 2}')).toEqual({
    json: '{"a": 1, "b": 2}',
    isArray: false,
    rowCount: 1,
    keys: ["a", "b"],
  });
  expect(parse('[{"a": 1, "b": 2}, {"b": 3, "a": 4}]')).toMatchObject({ isArray: true, rowCount: 2, keys: ["a", "b"] });
  expect(parse('[{"a": 1}, {"b": 3}]')).toMatchObject({ isArray: true, keys: undefined });
  expect(parse("[]")).toMatchObject({ isArray: true, keys: [] });
});

test("the JSON text of a request body stays unchanged, so that numbers keep all digits", () => {
  expect(parse('{"a": 12345678901234567890.10}').json).toBe('{"a": 12345678901234567890.10}');
});

test.each(["", "{", "null", "1", '"x"', "{'a': 1}", "[{}", "\u0000"])(
  "the body %j is refused as empty or invalid JSON",
  (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "PGRST102", message: "Empty or invalid json" }));
  },
);

test.each(["[1]", "[[]]", "[null]", '[{"a": 1}, "x"]'])(
  "the array %s is refused, because its elements are not all objects",
  (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message: "All object keys must match" }));
  },
);

test("a body nested over 200 levels is refused; brackets in strings do not count", () => {
  expect(parse(JSON.stringify({ a: "[".repeat(1000), b: '\\"[['.repeat(500) })).keys).toEqual(["a", "b"]);
  expect(() => parse("[".repeat(201) + "]".repeat(201))).toThrow();
  expect(() => parse(`{"a": ${"[".repeat(201)}${"]".repeat(201)}}`)).toThrow(
    expect.objectContaining({ status: 400, details: "Nested too deeply" }),
  );
});

test.each([undefined, "application/json", "Application/JSON;charset=UTF-8", "application/vnd.pgrst.object+json"])(
  "the content type %s is accepted",
  (type) => {
    expect(parse("{}", type).keys).toEqual([]);
  },
);

test.each(["text/plain", "text/csv", "application/x-www-form-urlencoded", "application/jsonp"])(
  "the content type %s is refused",
  (type) => {
    expect(() => parse("{}", type)).toThrow(
      expect.objectContaining({ code: "PGRST102", message: `Content-Type not acceptable: ${type}` }),
    );
  },
);
