import { DatabaseError } from "pg";

/**
 * What went wrong with a statement, for everything that answers a request:
 * - `broken`: PostgreSQL is gone or not up yet, and the connection with it;
 * - `busy`: PostgreSQL is there and cannot do it now, or no connection is free;
 * - `refused`: a rule of the database says no to what was sent;
 * - `bug`: anything else, which is a mistake of ours.
 */
export type DatabaseErrorKind = "broken" | "busy" | "refused" | "bug";

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseError) return classifySqlstate(error.code ?? "");
  if (!(error instanceof Error)) return "bug";
  // The pool has no code for it.
  if (error.message.startsWith("timeout exceeded when trying to connect") || isUnanswered(error)) return "busy";
  return isLostSocket(error) || sayings.test(error.message) ? "broken" : "bug";
}

/** Whether the same may succeed on a new connection within seconds: PostgreSQL restarts, or has too many clients. */
export function isTransient(error: unknown): boolean {
  return classifyDatabaseError(error) === "broken" || (error instanceof DatabaseError && error.code === tooManyClients);
}

/** Whether a statement got no answer in time. Its connection may be of no use any more. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/**
 * The sentence that a rule of ours has for a visitor, with its HTTP status: such a rule raises PT and the status, or a
 * failed check without the name of a constraint. PostgreSQL's own sentences name columns and are not for visitors.
 */
export function visitorRefusal(error: unknown): { status: number; message: string } | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  const { code = "", message, constraint } = error;
  if (/^PT4\d\d$/.test(code)) return { status: Number(code.slice(2)), message };
  if (code === "23514" && !constraint) return { status: 422, message };
  return undefined;
}

const tooManyClients = "53300";

/** Ended by an operator, by a crash, not up yet, idle for too long. */
const endings = new Set(["57P01", "57P02", "57P03", "57P05"]);

/** A deadlock or a conflict with another transaction, a lock or a statement that took too long. */
const waits = new Set(["40001", "40P01", "55P03", "57014"]);

function classifySqlstate(code: string): DatabaseErrorKind {
  if (code.startsWith("08") || endings.has(code)) return "broken";
  // 53400 is a limit that an operator has set, and stays.
  if ((code.startsWith("53") && code !== "53400") || waits.has(code)) return "busy";
  return /^(22|23|PT4|42501|P0001)/.test(code) ? "refused" : "bug";
}

const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);

/** ENOENT is a missing file anywhere else; here it is the socket of a PostgreSQL that does not run. */
function isLostSocket({ code, syscall }: NodeJS.ErrnoException): boolean {
  return socketCodes.has(code ?? "") || (code === "ENOENT" && syscall === "connect");
}

/** Where there is no code, pg reports a lost server only by these beginnings of a sentence. */
const sayings =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout expired)/;
