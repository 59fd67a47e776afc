import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { classifyDatabaseError, isTransient, visitorRefusal } from "./errors.ts";
import { httpStatusOf } from "./sqlstate-http-status.ts";

const failed = (code: string, more = {}) => Object.assign(new DatabaseError("text", 0, "error"), { code, ...more });
const system = (code: string, syscall = "connect") => Object.assign(new Error("text"), { code, syscall });

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
  ["busy", failed("53100")],
  ["busy", failed("25006")],
  ["busy", failed("58030")],
  ["busy", Object.assign(failed("42501"), { message: 'could not open file "base/5/1259": Read-only file system' })],
  ["broken", failed("28P01")],
  ["broken", system("CERT_HAS_EXPIRED")],
  ["broken", system("ERR_TLS_CERT_ALTNAME_INVALID")],
  ["broken", new Error("The server does not support SSL connections")],
  ["broken", failed("3D000")],
  ["broken", failed("42501", { severity: "FATAL" })],
  ["broken", failed("XX000", { severity: "FATAL" })],
  ["broken", failed("53100", { severity: "PANIC" })],
  ["refused", failed("PT429")],
  ["refused", failed("23514")],
  ["refused", failed("42501")],
  ["bug", failed("53400")],
  ["bug", failed("42703")],
  ["bug", system("ENOENT", "open")],
  ["bug", new TypeError("text")],
  ["bug", "text"],
])("classifyDatabaseError returns %s for: %s", (kind, error) => {
  expect(classifyDatabaseError(error)).toBe(kind);
});

test("the data API answers 503 when the connection to PostgreSQL is lost", () => {
  for (const code of ["08006", "57P01", "57P02", "57P03", "57P05"]) {
    expect([code, classifyDatabaseError(failed(code)), httpStatusOf(code, "", true)]).toEqual([code, "broken", 503]);
  }
});

test("only the errors for a lost connection and for too many connections are transient", () => {
  const transient = [failed("57P03"), failed("53300"), system("ECONNREFUSED")];
  const lasting = [
    failed("28P01", { severity: "FATAL" }),
    failed("3D000"),
    system("CERT_HAS_EXPIRED"),
    failed("53200"),
    failed("57014"),
    new Error("timeout exceeded when trying to connect"),
  ];
  expect(transient.map(isTransient)).toEqual([true, true, true]);
  expect(lasting.filter(isTransient)).toEqual([]);
});

test("visitors see only the error messages of the site's own rules", () => {
  expect(visitorRefusal(failed("PT429"))).toEqual({ status: 429, message: "text" });
  expect(visitorRefusal(failed("23514"))).toEqual({ status: 422, message: "text" });
  for (const error of [failed("23514", { constraint: "contacts_name_check" }), failed("23505"), failed("PT500")])
    expect(visitorRefusal(error)).toBeUndefined();
});

test.each([
  ["23505", 409],
  ["23503", 409],
  ["23502", 400],
  ["23514", 400],
  ["22P02", 400],
  ["22P05", 400],
  ["42703", 400],
  ["42P01", 404],
  ["42883", 404],
  ["42P17", 500],
  ["25006", 503],
  ["25P02", 500],
  ["40001", 503],
  ["40P01", 503],
  ["53300", 503],
  ["53400", 500],
  ["54001", 500],
  ["54000", 400],
  ["54011", 400],
  ["54023", 400],
  ["55000", 500],
  ["55P03", 503],
  ["57014", 504],
  ["57P01", 503],
  ["57P03", 503],
  ["57P04", 503],
  ["58030", 503],
  ["72000", 503],
  ["25P03", 503],
  ["25P04", 503],
  ["28P01", 503],
  ["3D000", 503],
  ["53100", 503],
  ["53200", 503],
  ["08006", 503],
  ["28000", 403],
  ["0LP01", 403],
  ["0P000", 403],
  ["P0001", 400],
  ["P0002", 500],
  ["XX000", 500],
  ["PT429", 429],
  ["PT503", 503],
  ["PT200", 500],
  ["PTabc", 500],
  ["12345", 400],
])("SQLSTATE %s becomes HTTP status %i", (sqlstate, status) => {
  expect(httpStatusOf(sqlstate, "", true)).toBe(status);
});

test("SQLSTATE 42501 becomes status 401 for an anonymous caller and 403 for a signed-in user", () => {
  expect(httpStatusOf("42501", "", true)).toBe(401);
  expect(httpStatusOf("42501", "", false)).toBe(403);
});

test("the HTTP status for SQLSTATE 22023 and 21000 depends on the error message", () => {
  expect(httpStatusOf("22023", 'role "king" does not exist', true)).toBe(401);
  expect(httpStatusOf("22023", "something else", true)).toBe(400);
  expect(httpStatusOf("21000", "DELETE requires a WHERE clause", true)).toBe(400);
  expect(httpStatusOf("21000", "more than one row", true)).toBe(500);
});
