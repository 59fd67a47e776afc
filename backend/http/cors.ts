import type { FastifyReply, FastifyRequest } from "fastify";

/** The CORS headers that Supabase's gateway sends (docs/protocol.md#cors). No answer of an API is cached. */
const onEveryAnswer = {
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Content-Range, Content-Location, Location, Preference-Applied, X-Supabase-Api-Version, X-Total-Count, Link, Retry-After",
} as const;

const daySeconds = 24 * 60 * 60;

const onPreflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers":
    "accept, accept-profile, apikey, authorization, baggage, content-profile, content-type, prefer, range, range-unit, " +
    "traceparent, tracestate, x-client-info, x-retry-count, x-supabase-api-version",
  "access-control-max-age": String(daySeconds),
} as const;

/**
 * Lets pages of any origin read the answer, refusals included: without these headers the browser hides a refusal, and
 * the client reports a network failure. No cookie is ever read here, so no origin gains rights. A preflight is answered
 * at once, because browsers send it without the header `apikey`; then the result is true.
 */
export function allowAnyOrigin({ method }: FastifyRequest, reply: FastifyReply): boolean {
  reply.headers(onEveryAnswer);
  if (method !== "OPTIONS") return false;
  reply.code(204).headers(onPreflight).send();
  return true;
}
