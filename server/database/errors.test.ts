import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { statusOf } from "#server/data/sqlstates";
import { classifyDatabaseError, isTransient, visitorRefusal } from "./errors.ts";

const failed = (code: string, more = {}) => Object.assign(new DatabaseError("words", 0, "error"), { code, ...more });
const system = (code: string, syscall = "connect") => Object.assign(new Error("words"), { code, syscall });

test.each([
  ["broken", failed("57P01")],
  ["broken", failed("57P02")],
  ["broken", failed("57P03")],
  ["broken", failed("08006")],
  ["broken", system("ECONNREFUSED")],
  ["broken", system("ECONNRESET", "read")],
  ["broken", system("ENOENT")],
  ["broken", new Error("Connection terminated unexpectedly")],
  ["broken", new Error("Connection terminated due to connection timeout")],
  ["broken", new Error("Client has encountered a connection error and is not queryable")],
  ["broken", new Error("timeout expired")],
  ["busy", new Error("timeout exceeded when trying to connect")],
  ["busy", failed("53300")],
  ["busy", failed("53200")],
  ["busy", failed("40P01")],
  ["busy", failed("57014")],
  ["refused", failed("PT429")],
  ["refused", failed("23514")],
  ["refused", failed("42501")],
  ["bug", failed("53400")],
  ["bug", failed("42703")],
  ["bug", system("ENOENT", "open")],
  ["bug", new TypeError("words")],
  ["bug", "words"],
])("%s: %s", (trouble, error) => {
  expect(classifyDatabaseError(error)).toBe(trouble);
});

test("what is broken is a 503 on the wire of the data API as well", () => {
  for (const code of ["08006", "57P01", "57P02", "57P03", "57P05"]) {
    expect([code, classifyDatabaseError(failed(code)), statusOf(code, "", true)]).toEqual([code, "broken", 503]);
  }
});

test("only a lost connection and a lack of connections pass by themselves", () => {
  const passing = [failed("57P03"), failed("53300"), system("ECONNREFUSED")];
  const lasting = [failed("53200"), failed("57014"), new Error("timeout exceeded when trying to connect")];
  expect(passing.map(isTransient)).toEqual([true, true, true]);
  expect(lasting.map(isTransient)).toEqual([false, false, false]);
});

test("only sentences of our own rules are for visitors", () => {
  expect(visitorRefusal(failed("PT429"))).toEqual({ status: 429, message: "words" });
  expect(visitorRefusal(failed("23514"))).toEqual({ status: 422, message: "words" });
  for (const error of [failed("23514", { constraint: "contacts_name_check" }), failed("23505"), failed("PT500")])
    expect(visitorRefusal(error)).toBeUndefined();
});
