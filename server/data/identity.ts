import type { Claims } from "#server/database/as-caller";
import { requirePublicKey } from "#server/http/gateway";
import { refusals } from "./refusals.ts";

/** Checks signature and claims of a token and returns its claims; throws a refusal of the catalogue otherwise. */
export type VerifyToken = (token: string) => Promise<Claims>;

interface Credentials {
  /** From the header or, as the gateway allows, from the address. */
  apikey: string | undefined;
  authorization: string | undefined;
}

const anonymous: Claims = { role: "anon" };
const roles: readonly unknown[] = ["anon", "authenticated", "service_role"];

/**
 * Who asks (protocol sections 1.1, 1.2 and 4.1). Without the public key nobody is answered; with it and without a
 * token of their own they are anonymous. No secret key exists, so no key makes anyone more than that.
 */
export async function identify(
  { apikey, authorization }: Credentials,
  publicKey: string,
  verifyToken: VerifyToken,
): Promise<Claims> {
  requirePublicKey(apikey, publicKey);

  const token = readBearer(authorization);
  // The client sends its key as bearer while nobody is signed in (section 0, trap 4).
  if (token === undefined || token === publicKey || token.startsWith("sb_")) return anonymous;

  checkStructure(token);
  return withKnownRole(await verifyToken(token));
}

/** The verifier of a server that has no signing keys: every well-formed token is refused. */
export const knowNoKeys: VerifyToken = async () => {
  throw refusals.noSuitableKey();
};

function readBearer(authorization: string | undefined): string | undefined {
  const bearer = /^bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? "");
  return bearer ? (bearer[1] ?? "") : undefined;
}

/** Refuses before any cryptography what cannot be a token, and the algorithm that proves nothing. */
function checkStructure(token: string) {
  if (token === "") throw refusals.emptyToken();
  const parts = token.split(".");
  if (parts.length !== 3) throw refusals.notThreeParts(parts.length);

  const algorithm = readHeader(parts[0] ?? "").alg;
  if (typeof algorithm !== "string" || algorithm.toLowerCase() === "none") throw refusals.wrongAlgorithm();
}

function readHeader(part: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    if (header && typeof header === "object") return header as Record<string, unknown>;
  } catch {
    // Not JSON: the refusal below says so.
  }
  throw refusals.undecodableToken();
}

/** A role that the database knows for other purposes must never be reached by writing its name into a claim. */
function withKnownRole(claims: Claims): Claims {
  const role = claims.role ?? "anon";
  if (!roles.includes(role)) throw refusals.unknownRole();
  return { ...claims, role };
}
