import type { FastifyRequest } from "fastify";
import type { Claims } from "#server/database/as-caller";
import { isApiKey, readBearer, requirePublicKey } from "#server/http/credentials";
import { refusals } from "./refusals.ts";

/** Resolves with the claims if the token's signature, claims and session are valid; otherwise throws a refusal. */
export type VerifyToken = (token: string) => Promise<Claims>;

/**
 * With the public key alone a caller is anonymous. No key gives more rights, only a token does
 * (docs/protocol.md#caller-identity).
 */
export async function identify(request: FastifyRequest, publicKey: string, verifyToken: VerifyToken): Promise<Claims> {
  requirePublicKey(request, publicKey);

  const token = readBearer(request);
  if (token === undefined || isApiKey(token, publicKey)) return { role: "anon" };

  if (token === "") throw refusals.emptyToken();
  const parts = token.split(".").length;
  if (parts !== 3) throw refusals.notThreeParts(parts);
  return verifyToken(token);
}
