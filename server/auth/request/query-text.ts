import type { FastifyRequest } from "fastify";

/** One value from the address; of several with one name the first. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value: unknown = (request.query as Record<string, unknown>)[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
}
