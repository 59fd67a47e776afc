import type { AuthError } from "@supabase/auth-js";

/** The outcome of a call to the backend. */
export type Result<Value> = { ok: true; value: Value } | Failure;

export interface Failure {
  ok: false;
  /** The server's message; undefined if there is none, or none that a person can read. */
  message?: string | undefined;
  /** The server's error code, such as "email_not_confirmed". */
  code?: string | undefined;
  /** The `details` of the database's error: the field at fault, or `tooSoon` (docs/protocol.md#contact-rules). */
  details?: string | undefined;
  /** The database says that the caller lacks the permission (SQLSTATE 42501). */
  refused?: boolean;
  /** A rule of the product refuses what was sent, so the server works. */
  refusedByRule?: boolean;
  /** No answer arrived, so the request may have been carried out or not. */
  unanswered?: boolean;
}

export const unanswered: Failure = { ok: false, unanswered: true };

/**
 * An answer of the data API, as the client library reports it; status 0 stands for no answer. The error is any JSON: a
 * firewall answers too.
 */
export interface Reply {
  status: number;
  error: { code?: unknown; message?: unknown; details?: unknown } | null;
}

export function dataFailure({ status, error }: Reply): Failure {
  // The browser's own error text about an unreachable server does not help a reader.
  if (status === 0) return unanswered;
  const code = textOrNone(error?.code) ?? "";
  const message = textOrNone(error?.message);
  return {
    ok: false,
    message: isForPrograms(status, code) ? undefined : readable(message),
    details: textOrNone(error?.details),
    refused: code === "42501",
    refusedByRule: status === 400 || status === 429,
  };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The texts of PostgREST about its connections (PGRST000 to 003), and of a firewall or gateway, which gives no code. */
function isForPrograms(status: number, code: string): boolean {
  return code.startsWith("PGRST00") || (!code && [403, 502, 503, 504].includes(status));
}

/** Passes on the server's message, but not what the library or a gateway says when the server was unreachable. */
export function authFailure({ name, message, code, status = 0 }: AuthError): Failure {
  if (name === "AuthRetryableFetchError" && status === 0) return unanswered;
  const isMessage = name !== "AuthUnknownError" && !reasonPhrase.test(message);
  return { ok: false, message: isMessage ? readable(message) : undefined, code };
}

/** The library's message for an answer without one. */
const reasonPhrase = /^(internal server error|bad gateway|service unavailable|gateway time-?out|http \d+)$/i;

/** Drops HTML and JSON: if a proxy answers for a dead server, the message is an HTML page or an empty JSON object. */
function readable(message: string | undefined): string | undefined {
  const text = message?.trim();
  return text && !/^[<{]/.test(text) ? text : undefined;
}
