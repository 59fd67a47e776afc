import type { Claims } from "#server/database/as-caller";
import { requirePublicKey } from "#server/http/public-key";
import { refusals } from "./refusals.ts";

/** Resolves with the claims if the token's signature, claims and session are valid; otherwise throws a refusal. */
export type VerifyToken = (token: string) => Promise<Claims>;

interface Credentials {
  /** The API key from the header or, as Supabase's gateway allows too, from the query. */
  apikey: string | undefined;
  authorization: string | undefined;
}

const anonymous: Claims = { role: "anon" };
const roles: readonly unknown[] = ["anon", "authenticated", "service_role"];

/**
 * With the public key alone a caller is anonymous. No key gives more rights, only a token does
 * (docs/protocol.md#caller-identity).
 */
export async function identify(
  { apikey, authorization }: Credentials,
  publicKey: string,
  verifyToken: VerifyToken,
): Promise<Claims> {
  requirePublicKey(apikey, publicKey);

  const token = readBearer(authorization);
  // Without a session, Supabase's client sends its API key as bearer token (docs/protocol.md#the-key-as-bearer-token).
  if (token === undefined || token === publicKey || token.startsWith("sb_")) return anonymous;

  if (token === "") throw refusals.emptyToken();
  const parts = token.split(".").length;
  if (parts !== 3) throw refusals.notThreeParts(parts);
  return withKnownRole(await verifyToken(token));
}

function readBearer(authorization: string | undefined): string | undefined {
  const bearer = /^bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? "");
  return bearer ? (bearer[1] ?? "") : undefined;
}

/** The role claim of a token may name only these three roles, and no other role of the database, such as `postgres`. */
function withKnownRole(claims: Claims): Claims {
  const role = claims.role ?? "anon";
  if (!roles.includes(role)) throw refusals.unknownRole();
  return { ...claims, role };
}
