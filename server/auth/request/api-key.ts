import type { FastifyRequest } from "fastify";
import { requirePublicKey } from "#server/http/gateway";
import { queryText } from "./query-text.ts";

/** A mail program or a stranger's server opens these, and knows no key (protocol section 1.1). */
const open = ["/verify", "/.well-known/jwks.json"];

/** Without the public key nobody is answered; a preflight cannot carry one. */
export function requireKey(request: FastifyRequest, prefix: string, publicKey: string) {
  if (request.method === "OPTIONS" || open.some((path) => request.routeOptions.url === prefix + path)) return;

  requirePublicKey(request.headers.apikey ?? queryText(request, "apikey"), publicKey);
}
