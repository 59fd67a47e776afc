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
  return raisedStatus(sqlstate) ?? entryFor(sqlstate)[0];
}

/** The kind of a PostgreSQL error. */
export function kindOf(sqlstate: string): DatabaseErrorKind {
  const status = raisedStatus(sqlstate);
  if (status) return status < 500 ? "refused" : "bug";
  return entryFor(sqlstate)[1];
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

function entryFor(sqlstate: string) {
  return sqlstates[sqlstate] ?? sqlstates[sqlstate.slice(0, 2)] ?? ([400, "bug"] as const);
}

/**
 * The HTTP status and the kind of each error. A key is an SQLSTATE, or its first two characters, the class
 * (docs/protocol.md#sqlstate-and-status).
 */
const sqlstates: Readonly<Record<string, readonly [httpStatus: number, kind: DatabaseErrorKind]>> = {
  "08": [503, "broken"],
  "09": [500, "bug"],
  "0L": [403, "bug"],
  "0P": [403, "bug"],
  "21000": [500, "bug"],
  "22": [400, "refused"],
  // A sequence is used up.
  "2200H": [500, "bug"],
  "23": [400, "refused"],
  "23503": [409, "refused"],
  "23505": [409, "refused"],
  "25": [500, "bug"],
  // A replica after a failover. A write of a request that may only read is refused earlier.
  "25006": [503, "busy"],
  // A transaction that took longer than an operator allows; PostgreSQL has ended the connection.
  "25P03": [503, "broken"],
  "25P04": [503, "broken"],
  "28": [403, "bug"],
  // PostgreSQL refuses the server's own login: a changed password, a removed database.
  "28P01": [503, "broken"],
  "3D000": [503, "broken"],
  "2D": [500, "bug"],
  "38": [500, "bug"],
  "39": [500, "bug"],
  "3B": [500, "bug"],
  "40": [500, "bug"],
  // 40001 is a conflict with another transaction, and 40P01 is a deadlock.
  "40001": [503, "busy"],
  "40P01": [503, "busy"],
  [insufficientPrivilege]: [403, "refused"],
  "42883": [404, "bug"],
  "42P01": [404, "bug"],
  "42P17": [500, "bug"],
  "53": [503, "busy"],
  // 53400 is a limit that an operator has set, so waiting does not help.
  "53400": [500, "bug"],
  // The caller asked for too much, such as 1,700 columns. In 54001 a rule of the database calls itself.
  "54": [400, "refused"],
  "54001": [500, "bug"],
  "55": [500, "bug"],
  // 55P03 means that a lock was not free, and 57014 that a statement took too long. The client repeats a read after
  // 503, which would only add to the load of a slow one.
  "55P03": [503, "busy"],
  "57": [500, "bug"],
  "57014": [504, "busy"],
  // Connection ended by an operator or a crash, PostgreSQL not up yet, database removed, connection idle for too long.
  // PostgREST answers 500 to all but the first; 503 makes the client try again.
  "57P01": [503, "broken"],
  "57P02": [503, "broken"],
  "57P03": [503, "broken"],
  "57P04": [503, "broken"],
  "57P05": [503, "broken"],
  // Errors of the system below PostgreSQL, such as a disk that fails.
  "58": [503, "busy"],
  // A snapshot became too old (up to PostgreSQL 16); the next one is new.
  "72": [503, "busy"],
  F0: [500, "bug"],
  HV: [500, "bug"],
  P0: [500, "bug"],
  P0001: [400, "refused"],
  PT: [500, "bug"],
  XX: [500, "bug"],
};
