import { STATUS_CODES } from "node:http";

export interface FastifyRefusal {
  status: number;
  kind: "body too large" | "body too slow" | "invalid request";
  message: string;
}

/**
 * What Fastify refuses with a 4xx before our code reads the request (a body too large, cut short or not JSON, a broken
 * address), or undefined for any other error.
 */
export function fastifyRefusal(error: unknown): FastifyRefusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode: status = 500, code, message } = error as Error & { statusCode?: number; code?: string };
  if (status < 400 || status > 499) return undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return { status, kind: "body too large", message };
  const isFastify = code?.startsWith("FST_") ?? false;
  // The text of another library may name paths or values that are not for callers.
  const safeMessage = isFastify ? message : (STATUS_CODES[status] ?? "Bad Request");
  return { status, kind: status === 408 ? "body too slow" : "invalid request", message: safeMessage };
}
