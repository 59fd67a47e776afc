import type { FastifyReply } from "fastify";
import { Refusal } from "./refusal.ts";

/**
 * What Supabase's gateway does before either API is asked (protocol sections 1.1 and 1.4): it checks the public key and
 * lets pages of other origins read the answers.
 */
const day = 24 * 60 * 60;

const shared = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Content-Range, Content-Location, Location, Preference-Applied, X-Supabase-Api-Version, X-Total-Count, Link, Retry-After",
} as const;

const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers":
    "accept, accept-profile, apikey, authorization, baggage, content-profile, content-type, prefer, range, range-unit, " +
    "traceparent, tracestate, x-client-info, x-retry-count, x-supabase-api-version",
  "access-control-max-age": String(day),
} as const;

/**
 * Lets pages of other origins read every answer, refusals included: without these headers the client reports a
 * refusal as a failed network. No cookie is ever read here, so any origin may ask.
 */
export function shareWithAnyOrigin(reply: FastifyReply) {
  reply.headers(shared);
}

/** The browser's question before a request: it carries no key. */
export function answerPreflight(reply: FastifyReply) {
  return reply.code(204).headers(preflight).send();
}

/** Without the public key nobody is answered. The gateway's refusals have no code, and neither API writes an empty one. */
export function requirePublicKey(given: string | string[] | undefined, publicKey: string) {
  if (!given) {
    throw new Refusal(401, "", "No API key found in request", {
      hint: "No `apikey` request header or url param was found.",
    });
  }
  if (given !== publicKey) {
    throw new Refusal(401, "", "Invalid API key", {
      hint: "Double check your Supabase `anon` or `service_role` API key.",
    });
  }
}
