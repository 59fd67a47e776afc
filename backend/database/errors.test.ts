import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { rowsOf } from "#tests/support/text-table";
import { classifyDatabaseError, httpStatusOf, isOutOfConnections, isTransient, visitorRefusal } from "./errors.ts";

const failed = (code: string, more = {}) => Object.assign(new DatabaseError("text", 0, "error"), { code, ...more });
const system = (code: string, syscall = "connect") => Object.assign(new Error("text"), { code, syscall });

const failures: Record<string, unknown[]> = {
  broken: [
    ...["57P01", "57P02", "57P03", "08006", "28P01", "3D000"].map((code) => failed(code)),
    ...["ECONNREFUSED", "ENOENT", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"].map((code) => system(code)),
    ...["42501", "XX000"].map((code) => failed(code, { severity: "FATAL" })),
    failed("53100", { severity: "PANIC" }),
    system("ECONNRESET", "read"),
    new Error("Connection terminated unexpectedly"),
    new Error("Connection terminated due to connection timeout"),
    new Error("Client has encountered a connection error and is not queryable"),
    new Error("timeout expired"),
    new Error("The server does not support SSL connections"),
  ],
  busy: [
    ...["53300", "53200", "40P01", "57014", "53100", "25006", "58030"].map((code) => failed(code)),
    new Error("timeout exceeded when trying to connect"),
    failed("42501", { message: 'could not open file "base/5/1259": Read-only file system' }),
  ],
  refused: ["PT429", "23514", "42501"].map((code) => failed(code)),
  bug: [failed("53400"), failed("42703"), system("ENOENT", "open"), new TypeError("text"), "text"],
};

test.each(Object.entries(failures).flatMap(([kind, errors]) => errors.map((error) => [kind, error])))(
  "classifyDatabaseError returns %s for: %s",
  (kind, error) => {
    expect(classifyDatabaseError(error)).toBe(kind);
  },
);

test("PostgreSQL and poolers refuse a further connection; what a visitor sent cannot look like that", () => {
  const pgBouncer = "no more connections allowed (max_client_conn)";
  const supavisor = [
    "MaxClientsInSessionMode: max clients reached - in Session mode max clients are limited to pool_size",
    "Max client connections reached",
  ];
  for (const message of [pgBouncer, ...supavisor])
    expect(isOutOfConnections(failed("08P01", { severity: "FATAL", message }))).toBe(true);
  expect(isOutOfConnections(failed("53300"))).toBe(true);
  const quoted = 'invalid input syntax for type uuid: "max clients reached"';
  expect(isOutOfConnections(failed("22P02", { severity: "ERROR", message: quoted }))).toBe(false);
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
  expect(visitorRefusal(failed("PT429", { detail: "wait" }))).toEqual({
    status: 429,
    message: "text",
    details: "wait",
  });
  expect(visitorRefusal(failed("23514"))).toEqual({ status: 422, message: "text", details: null });
  for (const error of [failed("23514", { constraint: "contacts_name_check" }), failed("23505"), failed("PT500")])
    expect(visitorRefusal(error)).toBeUndefined();
});

test.each(
  rowsOf(`
  400  23502 23514 22P02 22P05 42703 54000 54011 54023 P0001 12345
  403  28000 0LP01 0P000
  404  42P01 42883
  409  23505 23503
  429  PT429
  500  42P17 25P02 53400 54001 55000 P0002 XX000 PT200 PTabc
  503  25006 40001 40P01 53300 55P03 57P01 57P03 57P04 58030 72000 25P03 25P04 28P01 3D000 53100 53200 08006 PT503
  504  57014`),
)("HTTP status %s is that of the SQLSTATEs %s", (status, codes = "") => {
  for (const code of codes.split(" ")) expect([code, httpStatusOf(code, "", true)]).toEqual([code, Number(status)]);
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
