import type { FastifyReply } from "fastify";

const day = 24 * 60 * 60;

const shared = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Content-Range, Content-Location, Location, Preference-Applied, X-Supabase-Api-Version, X-Total-Count, Link",
} as const;

const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers":
    "accept, apikey, authorization, baggage, content-type, traceparent, tracestate, x-client-info, x-supabase-api-version",
  "access-control-max-age": String(day),
} as const;

/** Lets pages of other origins read every answer (protocol section 1.4). No cookie is read here, so any origin may ask. */
export function shareWithAnyOrigin(reply: FastifyReply) {
  reply.headers(shared);
}

/** The browser's question before a request: it carries no key. */
export function answerPreflight(reply: FastifyReply) {
  return reply.code(204).headers(preflight).send();
}
