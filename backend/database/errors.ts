import { DatabaseError } from "pg";
import { StartError } from "#process/start-error";
import {
  type DatabaseErrorKind,
  explanations,
  insufficientPrivilege,
  kindOf,
  raisedStatus,
} from "./sqlstate-http-status.ts";

/** The server has not opened its database yet. */
export class DatabaseAwayError extends Error {}

/** The connection leads to a standby. After a failover, a new one may lead to the primary within seconds. */
export class StandbyError extends DatabaseAwayError {
  override message = explanations["25006"] ?? "";
}

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseError) {
    if (endsConnection(error)) return "broken";
    return isReadOnlyDisk(error) ? "busy" : kindOf(error.code ?? "");
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
  const code = error instanceof DatabaseError ? (error.code ?? "") : "";
  if (isOutOfConnections(error)) return true;
  return classifyDatabaseError(error) === "broken" && !isRefusedLogin(code) && !isRefusedTls(error);
}

/** Whether PostgreSQL, or a pooler with a code of its own, has no connection to give before another one ends. */
export function isOutOfConnections(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.code === "53300" || (endsConnection(error) && /max.client/i.test(error.message));
}

/** A wrong password and a missing database last longer than a request can wait. */
export function isRefusedLogin(sqlstate: string): boolean {
  return /^(28|3D)/.test(sqlstate);
}

/** Whether a server that starts waits for its database: it is not up yet, or cannot do for now what the start needs. */
export function isWorthWaiting(error: unknown): boolean {
  if (error instanceof StartError) return isWorthWaiting(error.cause);
  // A migration that was cancelled would be run and cancelled without end.
  const isFinal = error instanceof DatabaseError && (isRefusedLogin(error.code ?? "") || error.code === "57014");
  return !isFinal && ["broken", "busy"].includes(classifyDatabaseError(error));
}

/** The sentence for the log, if the error needs an operator; else undefined. */
export function explain(error: unknown): string | undefined {
  if (error instanceof StandbyError) return error.message;
  if (!(error instanceof DatabaseError)) return undefined;
  return isReadOnlyDisk(error) ? explanations["58030"] : explanations[error.code ?? ""];
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
 * If a rule of this product refused the statement, returns the HTTP status and the message for the visitor. Such a rule
 * raises SQLSTATE `PT` plus the status, or SQLSTATE 23514 (a failed check) without the name of a constraint.
 * PostgreSQL's own messages name columns and are not for visitors. It may be an error that the data API of a hosted project
 * reports.
 */
export function visitorRefusal(error: unknown): { status: number; message: string } | undefined {
  const { code = "", message, constraint } = error as Pick<DatabaseError, "code" | "message" | "constraint">;
  const status = raisedStatus(code);
  if (status && status < 500) return { status, message };
  return code === "23514" && !constraint ? { status: 422, message } : undefined;
}

/** PostgreSQL and poolers end the connection with such an error, whatever its code. Some servers translate the word. */
function endsConnection({ severity }: DatabaseError): boolean {
  return severity === "FATAL" || severity === "PANIC";
}

/** PostgreSQL reports a disk that the system has made read-only as a missing right, and names the file. */
function isReadOnlyDisk({ code, message }: DatabaseError): boolean {
  return code === insufficientPrivilege && message.startsWith("could not ");
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
