import { expect, test } from "vitest";
import { parseRequest, type RawRequest } from "./parse-request.ts";

const parse = (
  path: string,
  options: Partial<Omit<RawRequest, "path" | "query" | "body">> & { body?: string } = {},
) => {
  const [before = "", query = ""] = path.split("?");
  const { method = "GET", headers = {}, body } = options;
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  return parseRequest({ method, path: before, query, headers, body: bytes });
};

test.each([
  ["/", "PGRST126"],
  ["/a/b", "PGRST125"],
  ["/birds/", "PGRST125"],
  ["//birds", "PGRST125"],
  ["/rpc/", "PGRST125"],
  ["/rpc/a/b", "PGRST125"],
])("the path %s is refused", (path, code) => {
  expect(() => parse(path)).toThrow(expect.objectContaining({ status: 404, code }));
});

test("the path /rpc without a function name means a table named rpc", () => {
  expect(parse("/rpc").target).toMatchObject({ kind: "table", name: "rpc" });
});

test("Accept-Profile names the schema for reads, and Content-Profile for writes: only public is offered", () => {
  const headers = { "accept-profile": "auth", "content-profile": "public" };
  expect(parse("/birds", { method: "POST", headers, body: "{}" }).target.name).toBe("birds");
  expect(() => parse("/birds", { headers })).toThrow(
    expect.objectContaining({ status: 406, code: "PGRST106", hint: "Only the following schemas are exposed: public" }),
  );
});

test("if limit is given twice, the first value counts; repeated filters all apply", () => {
  const { limit, filters } = parse("/birds?limit=1&limit=2&id=gt.1&id=lt.5");
  expect([limit, filters.length]).toEqual([1, 2]);
});

test.each<[string, number, number | undefined]>([
  ["limit=25&offset=50", 50, 25],
  ["limit=x&offset=y", 0, undefined],
  ["limit=1.5&offset=-1", 0, undefined],
])("the parameters %s give the offset %s and the limit %s", (query, offset, limit) => {
  expect(parse(`/birds?${query}`)).toMatchObject({ offset, limit });
  expect(() => parse("/birds?limit=-1")).toThrow(expect.objectContaining({ status: 416, code: "PGRST103" }));
});

test("the parser ignores the filters of an insert", () => {
  expect(parse("/birds?id=nonsense", { method: "POST", body: "{}" }).filters).toEqual([]);
});

test.each([
  ["PUT", "/birds?id=eq.1", "{}", 405, "PGRST117"],
  ["TRACE", "/birds?id=eq.1", "{}", 405, "PGRST117"],
  ["PATCH", "/rpc/greet", "{}", 405, "PGRST101"],
  ["DELETE", "/rpc/greet", "", 405, "PGRST101"],
  ["PATCH", "/birds?id=eq.1", "", 400, "PGRST102"],
  ["PATCH", "/birds?id=eq.1", "[{}, {}]", 400, "PGRST102"],
  ["PATCH", "/birds?id=eq.1&columns=name", "[]", 400, "PGRST102"],
  ["PATCH", "/birds?id=eq.1&limit=1", "{}", 400, "PGRST127"],
  ["DELETE", "/birds?id=eq.1&offset=1", "", 400, "PGRST127"],
])("the request %s %s with the body %o is refused", (method, path, body, status, code) => {
  expect(() => parse(path, { method, body })).toThrow(expect.objectContaining({ status, code }));
});

test("a function called with GET gets the parameters that are not filters as arguments", () => {
  const { filters, queryArguments } = parse("/rpc/greet?name=Wren&greeting=not.me&id=gt.1&limit=3&apikey=k");
  expect([...queryArguments]).toEqual([
    ["name", "Wren"],
    ["greeting", "not.me"],
  ]);
  expect(filters).toMatchObject([{ column: "id", operator: "gt", value: "1" }]);
});
