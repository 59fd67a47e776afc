import { expect, test } from "vitest";
import { defaultView, formatView, type InboxView, parseView, toFilter } from "./inbox-view";

const id = "0b7a4f4e-8f5e-4c52-9f1c-3a8f1f6d2c11";

test("the view of a new administrator has an empty address", () => {
  expect(parseView("")).toEqual(defaultView);
  expect(formatView(defaultView)).toBe("");
});

test("an address with all parameters is read and written without a change", () => {
  const view: InboxView = {
    search: "o'brien & söhne +1",
    interest: "co-development",
    state: "spam",
    from: "2026-01-01",
    until: "2026-02-28",
    handler: "nobody",
    at: "2026-02-01T09:30:00.123456+00:00",
    contact: id,
  };
  expect(parseView(formatView(view))).toEqual(view);
});

test.each([
  ["an unknown interest", "?interest=gardening"],
  ["an unknown state", "?state=toString"],
  ["a date that does not exist", "?from=2026-02-30&until=2026-13-01"],
  ["a date of a year that is being typed", "?from=0202-01-01"],
  ["a day that PostgreSQL does not have after it", "?until=9999-12-31"],
  ["a year that no field offers", "?from=3000-01-01"],
  ["a time of a day that does not exist", "?at=2026-02-30T00:00:00Z"],
  ["a time of a year without a contact", "?at=0000-01-01T00:00:00Z"],
  ["a time in a zone that PostgreSQL does not have", "?at=2026-01-01T00:00:00%2B23:59"],
  ["a time that is no time", "?at=2026-99-99T00:00:00Z"],
  ["a time with another condition", "?at=2026-01-01T00:00:00Z),or(id.gt.0"],
  ["a handler without an id", "?handler=ada"],
  ["a contact without an id", "?contact=1"],
  ["a search of spaces and control characters", "?search=%20%00%0A"],
  ["an unknown parameter", "?page=2"],
])("%s in the address counts as absent", (_name, query) => {
  expect(parseView(query)).toEqual(defaultView);
});

test("a NUL does not reach the search, and a long one is cut", () => {
  const { search } = parseView("?search=a%00b");
  expect(search).toBe("a b");
  expect(parseView(`?search=${"x".repeat(500)}`).search).toHaveLength(200);
  expect(parseView(`?search=${"x".repeat(199)}🦊🦊`).search).toBe(`${"x".repeat(199)}🦊`);
});

test("the dates of a filter are whole local days", () => {
  const { from, until } = toFilter({ ...defaultView, from: "2026-01-31", until: "2026-01-31" });
  expect(new Date(from ?? "")).toEqual(new Date(2026, 0, 31));
  expect(new Date(until ?? "")).toEqual(new Date(2026, 1, 1));
});

test("two dates in the wrong order mean the days between them", () => {
  const days = { from: "2026-01-01", until: "2026-01-31" };
  const filter = toFilter({ ...defaultView, ...days });
  expect(toFilter({ ...defaultView, from: days.until, until: days.from })).toEqual(filter);
});
