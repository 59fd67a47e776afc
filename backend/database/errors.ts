import { DatabaseError } from "pg";
import { StartError } from "#process/start-error";

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

/** The server has not opened its database yet. */
export class DatabaseAwayError extends Error {}

/** The connection leads to a standby. After a failover, a new one may lead to the primary within seconds. */
export class StandbyError extends DatabaseAwayError {
  override message = explanations["25006"] ?? "";
}

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseError) {
    if (endsConnection(error)) return "broken";
    return isReadOnlyDisk(error) ? "busy" : outcomeOf(sqlstateOf(error)).kind;
  }
  if (error instanceof DatabaseAwayError) return "broken";
  if (!(error instanceof Error)) return "bug";
  // The pool's own error, when no connection is free in time, has a message but no code.
  if (error.message.startsWith("timeout exceeded when trying to connect") || isUnanswered(error)) return "busy";
  const isLost = isLostSocket(error) || isRefusedTls(error) || lostConnectionMessages.test(error.message);
  return isLost ? "broken" : "bug";
}

/** Whether a new connection may succeed within seconds: PostgreSQL restarts, or has too many clients. */
export function isTransient(error: unknown): boolean {
  if (isOutOfConnections(error)) return true;
  return classifyDatabaseError(error) === "broken" && !isRefusedLogin(error) && !isRefusedTls(error);
}

/** Whether PostgreSQL, or a pooler with a code of its own, has no connection to give before another one ends. */
export function isOutOfConnections(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.code === "53300" || (endsConnection(error) && /max.client/i.test(error.message));
}

/** A wrong password and a missing database last longer than a request can wait. */
export function isRefusedLogin(error: unknown): boolean {
  return /^(28|3D)/.test(sqlstateOf(error));
}

/** Whether a server that starts waits for its database: it is not up yet, or cannot do for now what the start needs. */
export function isWorthWaiting(error: unknown): boolean {
  if (error instanceof StartError) return isWorthWaiting(error.cause);
  // A migration that was cancelled would be run and cancelled without end.
  const isFinal = isRefusedLogin(error) || sqlstateOf(error) === "57014";
  return !isFinal && ["broken", "busy"].includes(classifyDatabaseError(error));
}

/** The sentence for the log, if the error needs an operator; else undefined. */
export function explain(error: unknown): string | undefined {
  if (error instanceof StandbyError) return error.message;
  return explanations[isReadOnlyDisk(error) ? "58030" : sqlstateOf(error)];
}

/** Whether a `busy` error is one of time: no answer or no free connection in time, or a statement that took too long. */
export function isTimeout(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.code === "57014";
}

/** Whether a statement got no answer in time. Its connection may be unusable. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/**
 * If a rule of this product refused the statement, returns the HTTP status, the message for the visitor, and what programs
 * tell it by (docs/protocol.md#contact-rules). Such a rule raises SQLSTATE `PT` plus the status, or SQLSTATE 23514 (a failed check) without the name of a constraint.
 * PostgreSQL's own messages name columns and are not for visitors. It may be an error that the data API of a hosted project
 * reports.
 */
export function visitorRefusal(
  error: unknown,
): { status: number; message: string; details: string | null } | undefined {
  const {
    code = "",
    message,
    constraint,
    detail: details = null,
  } = error as Pick<DatabaseError, "code" | "message" | "constraint" | "detail">;
  const status = raisedStatus(code);
  if (status && status < 500) return { status, message, details };
  return code === "23514" && !constraint ? { status: 422, message, details } : undefined;
}

/** PostgreSQL and poolers end the connection with such an error, whatever its code. Some servers translate the word. */
function endsConnection({ severity }: DatabaseError): boolean {
  return severity === "FATAL" || severity === "PANIC";
}

/** PostgreSQL reports a disk that the system has made read-only as a missing right, and names the file. */
function isReadOnlyDisk(error: unknown): boolean {
  return sqlstateOf(error) === insufficientPrivilege && (error as Error).message.startsWith("could not ");
}

/** Empty for an error that is not PostgreSQL's. */
export function sqlstateOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? "") : "";
}

/** A container that is not up yet has no name (ENOTFOUND). */
const socketCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** At `connect`, ENOENT means that the socket of PostgreSQL is missing; anywhere else it means another missing file. */
function isLostSocket({ code = "", syscall }: NodeJS.ErrnoException): boolean {
  return socketCodes.test(code) || (code === "ENOENT" && syscall === "connect");
}

/** A certificate that has expired, say, or that the other side has changed: it lasts longer than a request can wait. */
function isRefusedTls(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return tlsCodes.test(code ?? "") || message === "The server does not support SSL connections";
}

const tlsCodes = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_|ERR_SSL_)/;

/** Some errors of pg about a lost server have no code. They are recognized by these beginnings of their messages. */
const lostConnectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout expired)/;

/** At the data API. An anonymous caller without a right gets 401, because the request may succeed after a sign-in. */
export function httpStatusOf(sqlstate: string, message: string, anonymous: boolean): number {
  if (sqlstate === insufficientPrivilege && anonymous) return 401;
  if (sqlstate === "21000" && message.endsWith("requires a WHERE clause")) return 400;
  if (sqlstate === "55000" && /^cannot (insert into|update|delete from) view/.test(message)) return 405;
  if (sqlstate === "22023" && /^role .* does not exist$/.test(message)) return 401;
  return outcomeOf(sqlstate).status;
}

/** A function that raises PT429 chooses the status 429. One below 400 would mean success. */
export function raisedStatus(sqlstate: string): number | undefined {
  return /^PT[45]\d\d$/.test(sqlstate) ? Number(sqlstate.slice(2)) : undefined;
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
  const raised = raisedStatus(sqlstate);
  if (raised) return { status: raised, kind: raised < 500 ? "refused" : "bug" };
  return bySqlstate.get(sqlstate) ?? bySqlstate.get(sqlstate.slice(0, 2)) ?? { status: 400, kind: "bug" };
}
