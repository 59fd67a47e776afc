import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropDraft, dropOldDrafts, keepDraft, listDrafts, readDraft } from "./note-drafts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { localStorage: storage() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a draft belongs to one user and one contact", () => {
  keepDraft("ada", "1", { text: "Half a thou", version: 3 });
  expect(readDraft("ada", "1")).toMatchObject({ text: "Half a thou", version: 3 });
  expect(listDrafts("ada")).toEqual(["1"]);
  expect(readDraft("bea", "1")).toBeUndefined();
  expect(readDraft("ada", "2")).toBeUndefined();
  expect(listDrafts("bea")).toEqual([]);
  dropDraft("ada", "1");
  expect(listDrafts("ada")).toEqual([]);
});

test("drafts of all users are removed after 30 days", () => {
  keepDraft("ada", "1", { text: "Old", version: 0 });
  vi.advanceTimersByTime(29 * 24 * 60 * 60 * 1000);
  keepDraft("bea", "2", { text: "New", version: 0 });
  expect(listDrafts("bea")).toEqual(["2"]);
  expect(readDraft("ada", "1")).toBeDefined();
  vi.advanceTimersByTime(2 * 24 * 60 * 60 * 1000);
  expect(listDrafts("ada")).toEqual([]);
  expect(readDraft("ada", "1")).toBeUndefined();
  // A list is made while React renders, so it changes nothing.
  expect(Object.keys(window.localStorage)).toHaveLength(2);
  dropOldDrafts();
  expect(Object.keys(window.localStorage)).toEqual(["note-draft:bea:2"]);
});

test("without storage, or with a value of another program, there is no draft", () => {
  window.localStorage.setItem("note-draft:ada:1", "nonsense");
  expect(readDraft("ada", "1")).toBeUndefined();
  vi.stubGlobal("window", {});
  keepDraft("ada", "1", { text: "Lost", version: 0 });
  expect(listDrafts("ada")).toEqual([]);
});

/** A storage in memory. Its entries are its own properties, as in a browser. */
function storage() {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? this[key] : null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods);
}
