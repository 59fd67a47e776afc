import { STATUS_CODES } from "node:http";
import { Refusal } from "./refusal.ts";

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
