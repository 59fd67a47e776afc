import { expect, test } from "vitest";
import { parseAccept, parsePreferences } from "./parse-headers.ts";

test.each([
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["text/html, application/xhtml+xml, */*;q=0.8", false],
  ["application/JSON; charset=utf-8", false],
  ["application/vnd.pgrst.object+json", true],
  ["application/vnd.pgrst.object+json, application/json;q=0.5", true],
  ["application/json, application/vnd.pgrst.object+json", false],
])("whether the Accept header %s asks for one object: %s", (header, isSingle) => {
  expect(parseAccept(header)).toBe(isSingle);
});

test.each(["text/csv", "application/vnd.pgrst.object+json;nulls=stripped", "nonsense"])(
  "the Accept header %s is refused",
  (header) => {
    expect(() => parseAccept(header)).toThrow(expect.objectContaining({ status: 406, code: "PGRST107" }));
  },
);

test("unknown preferences are refused only with handling=strict; preferences for upserts always", () => {
  expect(parsePreferences("return=representation,count=exact , tx=rollback, return=sideways")).toEqual({
    fillsDefaults: false,
    returnsRows: true,
    countsAll: true,
    affectedMax: undefined,
  });
  expect(() => parsePreferences("handling=strict, tx=rollback, missing=default")).toThrow(
    expect.objectContaining({ code: "PGRST122", details: "Invalid preferences: tx=rollback" }),
  );
  expect(() => parsePreferences("resolution=merge-duplicates")).toThrow(expect.objectContaining({ code: "PGRST127" }));
});

test("the first number of rows that a change may affect at most counts; anything else is unknown", () => {
  expect(parsePreferences("handling=strict, max-affected=10, max-affected=9").affectedMax).toBe(10);
  expect(parsePreferences("max-affected=10").affectedMax).toBeUndefined();
  for (const most of ["", "-1", "1e3", "1.5", "9".repeat(16)])
    expect(() => parsePreferences(`handling=strict, max-affected=${most}`)).toThrow(
      expect.objectContaining({ code: "PGRST122" }),
    );
});
