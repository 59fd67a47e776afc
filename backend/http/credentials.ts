import type { FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";

/**
 * Refuses a request without the public key, in the header or, as Supabase's gateway allows too, in the query. The
 * refusal has no error code, as from that gateway (docs/protocol.md#public-key).
 */
export function requirePublicKey({ headers, query }: FastifyRequest, publicKey: string) {
  const apikey = headers.apikey ?? (query as { apikey?: unknown }).apikey;
  if (!apikey) {
    throw new Refusal(401, "", "No API key found in request", {
      hint: "No `apikey` request header or url param was found.",
    });
  }
  if (apikey !== publicKey) {
    throw new Refusal(401, "", "Invalid API key", {
      hint: "Double check your Supabase `anon` or `service_role` API key.",
    });
  }
}

/** The bearer token, which may be empty; undefined without one. */
export function readBearer({ headers }: FastifyRequest): string | undefined {
  const bearer = /^bearer(?: +(.*))?$/i.exec(headers.authorization?.trim() ?? "");
  return bearer ? (bearer[1] ?? "") : undefined;
}

/** Without a session, Supabase's client sends its API key as bearer token (docs/protocol.md#caller-identity). */
export function isApiKey(token: string, publicKey: string): boolean {
  return token === publicKey || token.startsWith("sb_");
}
