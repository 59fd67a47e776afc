import type { FastifyReply } from "fastify";

/** The CORS headers that Supabase's gateway sends (docs/protocol.md#cors). */
const onEveryAnswer = {
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
 * the client reports a network failure. No cookie is ever read here, so no origin gains rights.
 */
export function allowAnyOrigin(reply: FastifyReply) {
  reply.headers(onEveryAnswer);
}

/** A preflight is answered without a public key, because browsers send it without the header `apikey`. */
export function answerPreflight(reply: FastifyReply) {
  return reply.code(204).headers(onPreflight).send();
}
