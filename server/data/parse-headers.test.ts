import { expect, test } from "vitest";
import { parseAccept, parsePreferences, parseWindow } from "./parse-headers.ts";

test.each([
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/html, application/xhtml+xml, */*;q=0.8", "application/json"],
  ["application/JSON; charset=utf-8", "application/json"],
  ["application/vnd.pgrst.object+json", "application/vnd.pgrst.object+json"],
  ["application/json;q=0.5, application/vnd.pgrst.object+json", "application/vnd.pgrst.object+json"],
  ["application/json, application/vnd.pgrst.object+json", "application/json"],
])("the Accept header %s chooses the media type %s", (header, media) => {
  expect(parseAccept(header)).toBe(media);
});

test.each(["text/csv", "application/json;q=0", "application/vnd.pgrst.object+json;nulls=stripped", "nonsense"])(
  "the Accept header %s is refused",
  (header) => {
    expect(() => parseAccept(header)).toThrow(expect.objectContaining({ status: 406, code: "PGRST107" }));
  },
);

test("unknown preferences are refused only with handling=strict; preferences for upserts always", () => {
  expect(parsePreferences("return=representation,count=exact , tx=rollback, return=sideways")).toEqual({
    missing: undefined,
    return: "representation",
    count: "exact",
    handling: undefined,
    "max-affected": undefined,
  });
  expect(() => parsePreferences("handling=strict, tx=rollback, missing=default")).toThrow(
    expect.objectContaining({ code: "PGRST122", details: "Invalid preferences: tx=rollback" }),
  );
  expect(() => parsePreferences("resolution=merge-duplicates")).toThrow(expect.objectContaining({ code: "PGRST127" }));
});

test("the first number of rows that a change may affect at most counts; anything else is unknown", () => {
  expect(parsePreferences("handling=strict, max-affected=10, max-affected=9")["max-affected"]).toBe(10);
  for (const most of ["", "-1", "1e3", "1.5", "9".repeat(16)])
    expect(() => parsePreferences(`handling=strict, max-affected=${most}`)).toThrow(
      expect.objectContaining({ code: "PGRST122" }),
    );
});

test.each<[string | undefined, string | undefined, string | undefined, { offset: number; limit: number | undefined }]>([
  [undefined, undefined, undefined, { offset: 0, limit: undefined }],
  ["25", "50", undefined, { offset: 50, limit: 25 }],
  ["x", "y", "z", { offset: 0, limit: undefined }],
  ["1.5", "-1", undefined, { offset: 0, limit: undefined }],
  [undefined, undefined, "3-", { offset: 3, limit: undefined }],
  [undefined, undefined, "3-7", { offset: 3, limit: 5 }],
  ["10", "5", "0-7", { offset: 5, limit: 3 }],
  ["0", undefined, "0-7", { offset: 0, limit: 0 }],
])("limit=%s and offset=%s with the Range header %s give the row window %j", (limit, offset, range, window) => {
  expect(parseWindow(limit, offset, range)).toEqual(window);
});

test.each([
  ["-1", undefined, undefined],
  [undefined, undefined, "7-3"],
  ["5", undefined, "5-9"],
])("limit=%s and offset=%s with the Range header %s are refused", (limit, offset, range) => {
  expect(() => parseWindow(limit, offset, range)).toThrow(expect.objectContaining({ status: 416, code: "PGRST103" }));
});
