import type { FastifyRequest } from "fastify";
import { repeatable } from "#server/database/reconnect";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { type AccessClaims, BadToken, readAccessToken, type TokenProblem } from "../tokens/access-token.ts";
import { findUser, isBanned, type User } from "../users.ts";
import { isExpired, type SessionTimes } from "./session-expiry.ts";

const reasons: Record<TokenProblem, string> = {
  malformed: "token is malformed",
  algorithm: "token is malformed: signing method is invalid",
  key: "token is unverifiable: unrecognized JWT kid",
  signature: "token signature is invalid",
  expired: "token has invalid claims: token is expired",
  future: "token has invalid claims: token is not valid yet",
  claims: "token has invalid claims",
};

/** Who asks, by their access token. Their session must still exist: a sign-out holds at once (protocol section 2.6). */
export async function requireUser(
  request: FastifyRequest,
  context: AuthContext,
): Promise<{ user: User; claims: AccessClaims }> {
  const { owner, keys, publicKey, siteUrl, now } = context;
  const token = readBearer(request.headers.authorization);
  if (!token) throw refusals.noBearer();
  // The client sends its key as bearer while nobody is signed in (protocol section 0, trap 4).
  if (token === publicKey || token.startsWith("sb_")) throw refusals.keyAsToken();

  const claims = await readAccessToken(token, keys, siteUrl, now()).catch((error: unknown) => {
    throw error instanceof BadToken ? refusals.badToken(reasons[error.problem], error) : error;
  });
  const db = repeatable(owner);
  const user = await findUser(db, claims.sub);
  if (!user) throw refusals.noSuchUser();
  if (isBanned(user, now())) throw refusals.banned(403);

  const { rows } = await db.query<SessionTimes>(
    "select created_at, refreshed_at, used_at from auth.sessions where id = $1 and user_id = $2",
    [claims.session_id, user.id],
  );
  const [session] = rows;
  if (!session || isExpired(session, context, now())) throw refusals.noSuchSession();
  return { user, claims };
}

function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1];
}
