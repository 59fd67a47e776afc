import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Claims } from "#backend/database/as-caller";
import type { AuthContext } from "../auth-context.ts";
import type { OpenSession, Session } from "../sessions/session-store.ts";
import { userJson, userMetadata } from "../user-json.ts";
import type { User } from "../users.ts";
import { accessTokenSeconds, algorithm, type SigningKeys, skewSeconds } from "./signing-keys.ts";

const audience = "authenticated";

/** The role is always "authenticated": the server signs no other tokens. */
const claimsSchema = z.looseObject({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.literal("authenticated"),
  aal: z.string(),
});

export type AccessClaims = Claims & z.infer<typeof claimsSchema>;

/** The answers to a bad token: docs/protocol.md#token-check, docs/protocol.md#auth-api. */
export const tokenAnswers = {
  malformed: ["PGRST301", "JWT couldn't be decoded", "token is malformed"],
  algorithm: ["PGRST301", "Wrong or unsupported encoding algorithm", "token is malformed: signing method is invalid"],
  key: ["PGRST301", "No suitable key or wrong key type", "token is unverifiable: unrecognized JWT kid"],
  signature: ["PGRST301", "JWT cryptographic operation failed", "token signature is invalid"],
  expired: ["PGRST303", "JWT expired", "token has invalid claims: token is expired"],
  future: ["PGRST303", "JWT issued at future", "token has invalid claims: token is not valid yet"],
  claims: ["PGRST303", "JWT not in audience", "token has invalid claims"],
} as const satisfies Record<string, readonly [dataCode: string, dataMessage: string, authReason: string]>;

export type TokenProblem = keyof typeof tokenAnswers;

/** Why a token is refused. The auth API and the data API answer with different texts, see `tokenAnswers`. */
export class BadToken extends Error {
  readonly problem: TokenProblem;

  constructor(problem: TokenProblem, cause?: unknown) {
    super(`The token is refused: ${problem}`, { cause });
    this.problem = problem;
  }
}

/** A session with a new access token (docs/protocol.md#auth-api). */
export async function sessionJson({ keys, siteUrl, now }: AuthContext, { user, session, refreshToken }: OpenSession) {
  const issuedAt = now();
  return {
    access_token: await signAccessToken(keys, siteUrl, user, session, issuedAt),
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: Math.floor(issuedAt.getTime() / 1000) + accessTokenSeconds,
    refresh_token: refreshToken,
    user: userJson(user),
  };
}

/** Signs a token with the claims of docs/protocol.md#access-token. */
export async function signAccessToken(keys: SigningKeys, siteUrl: string, user: User, session: Session, now: Date) {
  const { kid, privateKey } = await keys.forSigning();
  const issuedAt = Math.floor(now.getTime() / 1000);
  const payload = {
    iss: issuerOf(siteUrl),
    sub: user.id,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + accessTokenSeconds,
    email: user.email,
    phone: "",
    app_metadata: user.raw_app_meta_data,
    user_metadata: userMetadata(user),
    role: user.role,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: false,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: algorithm, typ: "JWT", kid }).sign(privateKey);
}

/** Throws `BadToken` unless this server signed the token and it is valid now. The session may have ended. */
export async function readAccessToken(
  token: string,
  keys: SigningKeys,
  siteUrl: string,
  now: Date,
): Promise<AccessClaims> {
  const keyOf = async ({ kid = "" }: { kid?: string }) => {
    const key = await keys.find(kid);
    if (!key) throw new BadToken("key");
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [algorithm],
      issuer: issuerOf(siteUrl),
      audience,
      clockTolerance: skewSeconds,
      currentDate: now,
      requiredClaims: ["exp", "iat"],
    });
    if ((payload.iat ?? 0) > now.getTime() / 1000 + skewSeconds) throw new BadToken("future");
    return claimsSchema.parse(payload);
  } catch (error) {
    const problem = problemOf(error);
    throw problem ? new BadToken(problem, error) : error;
  }
}

/** Undefined if the token is not to blame, for example because the database could not be asked for its key. */
function problemOf(error: unknown): TokenProblem | undefined {
  if (error instanceof BadToken) return error.problem;
  if (error instanceof z.ZodError) return "claims";
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === "nbf" ? "future" : "claims";
  if (error instanceof errors.JOSEAlgNotAllowed) return "algorithm";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  return error instanceof errors.JOSEError ? "malformed" : undefined;
}

function issuerOf(siteUrl: string): string {
  return `${siteUrl}/auth/v1`;
}
