/**
 * The kinds of failure of a statement, for everything that answers a request:
 * - `broken`: PostgreSQL or the connection to it is gone, or PostgreSQL is not up yet;
 * - `busy`: PostgreSQL is up but cannot run the statement now, or no connection is free;
 * - `refused`: a rule of the database refuses what was sent;
 * - `bug`: anything else, a mistake of the server.
 */
export type DatabaseErrorKind = "broken" | "busy" | "refused" | "bug";

/** The SQLSTATE for a right that a role does not have. */
export const insufficientPrivilege = "42501";

/** At the data API. An anonymous caller without a right gets 401, because the request may succeed after a sign-in. */
export function httpStatusOf(sqlstate: string, message: string, anonymous: boolean): number {
  if (sqlstate === insufficientPrivilege && anonymous) return 401;
  if (sqlstate === "21000" && message.endsWith("requires a WHERE clause")) return 400;
  if (sqlstate === "55000" && /^cannot (insert into|update|delete from) view/.test(message)) return 405;
  if (sqlstate === "22023" && /^role .* does not exist$/.test(message)) return 401;
  return raisedStatus(sqlstate) ?? outcomeOf(sqlstate).status;
}

/** The kind of a PostgreSQL error. */
export function kindOf(sqlstate: string): DatabaseErrorKind {
  const status = raisedStatus(sqlstate);
  if (status) return status < 500 ? "refused" : "bug";
  return outcomeOf(sqlstate).kind;
}

/** For errors that do not go away by themselves. PostgreSQL's own words come in the language of its server. */
export const explanations: Readonly<Record<string, string>> = {
  "25006": "The database is read-only: it may be a replica, or it was made read-only by an operator.",
  "28P01": "PostgreSQL refuses the password: was it changed while the server ran?",
  "3D000": "The database does not exist any more: was it removed or renamed?",
  "53100": "The disk of PostgreSQL is full (disk full): nothing can be stored until there is space again.",
  "53200": "PostgreSQL is out of memory.",
  "53300": "PostgreSQL has too many connections: max_connections is used up.",
  "58030": "PostgreSQL cannot read or write its disk.",
};

/** A function that raises PT429 chooses the status 429. One below 400 would mean success. */
export function raisedStatus(sqlstate: string): number | undefined {
  return /^PT[45]\d\d$/.test(sqlstate) ? Number(sqlstate.slice(2)) : undefined;
}

/**
 * The HTTP status and the kind of each error (docs/protocol.md#sqlstate-and-status): of an SQLSTATE, or of its first two
 * characters, the class.
 */
const outcomes: readonly [httpStatus: number, kind: DatabaseErrorKind, sqlstates: string][] = [
  // PostgreSQL or its machine ended the connection, or refuses the server's own login. PostgREST answers 500 to some of
  // them; 503 makes the client try again.
  [503, "broken", "08 25P03 25P04 28P01 3D000 57P01 57P02 57P03 57P04 57P05"],
  // PostgreSQL is a read-only replica after a failover, has a conflict, a deadlock or a lock that is not free, is out
  // of a resource, or has a failing disk or a snapshot that is too old. A write of a request that may only read is
  // refused earlier.
  [503, "busy", "25006 40001 40P01 53 55P03 58 72"],
  // A statement took too long. The client repeats a read after 503, which would only add to the load of a slow one.
  [504, "busy", "57014"],
  // With class 54 the caller asked for too much, such as 1,700 columns.
  [400, "refused", "22 23 54 P0001"],
  [403, "refused", insufficientPrivilege],
  [409, "refused", "23503 23505"],
  [403, "bug", "0L 0P 28"],
  [404, "bug", "42883 42P01"],
  // A sequence that is used up (2200H), a limit that an operator has set (53400), a rule that calls itself (54001).
  [500, "bug", "09 21000 2200H 25 2D 38 39 3B 40 42P17 53400 54001 55 57 F0 HV P0 PT XX"],
];

const bySqlstate = new Map(
  outcomes.flatMap(([status, kind, sqlstates]) =>
    sqlstates.split(" ").map((each) => [each, { status, kind }] as const),
  ),
);

function outcomeOf(sqlstate: string): { status: number; kind: DatabaseErrorKind } {
  return bySqlstate.get(sqlstate) ?? bySqlstate.get(sqlstate.slice(0, 2)) ?? { status: 400, kind: "bug" };
}
