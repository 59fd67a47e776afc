import { STATUS_CODES } from "node:http";

export interface FastifyRefusal {
  status: number;
  kind: "body too large" | "body too slow" | "invalid request";
  message: string;
}

/**
 * Describes an error with which Fastify refused a request before our code read it (a 4xx: the body is too large, cut
 * short or not JSON, or the address is broken). Returns undefined for any other error.
 */
export function fastifyRefusal(error: unknown): FastifyRefusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode: status = 500, code, message } = error as Error & { statusCode?: number; code?: string };
  if (status < 400 || status > 499) return undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return { status, kind: "body too large", message };
  const isFastify = code?.startsWith("FST_") ?? false;
  // The error message of another library may contain paths or values that callers must not see.
  const safeMessage = isFastify ? message : (STATUS_CODES[status] ?? "Bad Request");
  return { status, kind: status === 408 ? "body too slow" : "invalid request", message: safeMessage };
}
