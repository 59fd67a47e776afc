import type { FastifyRequest } from "fastify";
import { repeatable } from "#server/database/reconnect";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { type AccessClaims, BadToken, readAccessToken } from "../tokens/access-token.ts";
import { tokenAnswers } from "../tokens/token-verifier.ts";
import { findUser, isBanned, type User } from "../users.ts";
import { isExpired, type SessionTimes } from "./session-expiry.ts";

/**
 * Returns the caller, or throws. The caller's session must still exist, so that a sign-out takes effect at once
 * (docs/protocol.md#user-check).
 */
export async function requireUser(
  request: FastifyRequest,
  context: AuthContext,
): Promise<{ user: User; claims: AccessClaims }> {
  const { keys, publicKey, siteUrl, now, floodLimits } = context;
  const token = readBearer(request.headers.authorization);
  if (!token) throw refusals.noBearer();
  // A client without a session sends its API key as bearer token (docs/protocol.md#the-key-as-bearer-token).
  if (token === publicKey || token.startsWith("sb_")) throw refusals.keyAsToken();

  const claims = await readAccessToken(token, keys, siteUrl, now()).catch((error: unknown) => {
    throw error instanceof BadToken ? refusals.badToken(tokenAnswers[error.problem].auth, error) : error;
  });
  const user = await floodLimits.withConnection(
    request,
    () => findUserOfSession(claims, context),
    refusals.rateLimited,
  );
  return { user, claims };
}

async function findUserOfSession(claims: AccessClaims, context: AuthContext): Promise<User> {
  const { owner, now } = context;
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
  return user;
}

function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1];
}
