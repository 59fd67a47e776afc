import { STATUS_CODES } from "node:http";

/** A refusal that is sent to the caller. Anyone may read `message`; `cause` is for the log only. */
export class Refusal extends Error {
  readonly status: number;
  /** The error code in the answer, as the protocol of the answering API defines it. */
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      details?: string | null;
      hint?: string | null;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
  }
}

/** The answer to any error that is no refusal, in both APIs. */
export const unexpected = (code: string) =>
  new Refusal(500, code, "Something went wrong on our side. Please try again in a moment.");

/**
 * The refusal of a request that Fastify refused before our code read it (a 4xx: the body is too large, cut short or not
 * JSON, or the address is broken), with the code that the API has for its status. Undefined for any other error.
 */
export function fastifyRefusal(error: unknown, codeOf: (status: number) => string): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode: status = 500, code = "", message } = error as Error & { statusCode?: number; code?: string };
  if (status < 400 || status > 499) return undefined;
  // The error message of another library may contain paths or values that callers must not see.
  const safe = code.startsWith("FST_") ? message : (STATUS_CODES[status] ?? "Bad Request");
  return new Refusal(status, codeOf(status), safe, { cause: error });
}

/** Also the code of the limits in SQL. */
export const floodCode = "PT429";

/** The refusal of every limit against floods. */
export function tooManyRequests(retryAfterSeconds: number): Refusal {
  return new Refusal(429, floodCode, "Too many requests came from your network. Please try again in a moment.", {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}
