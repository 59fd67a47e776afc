import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { inTransaction } from "#server/database/transaction";
import { Refusal } from "#server/http/refusal";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireLimits } from "../limits/rate-limiter.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";
import { isExpired } from "../sessions/session-expiry.ts";
import { sessionJson } from "../sessions/session-json.ts";
import { clientOf, type OpenSession, type Session } from "../sessions/sessions.ts";
import { lockSessionOf, rotateRefreshToken } from "../tokens/refresh-token-rotation.ts";
import { findUser, isBanned, type User } from "../users.ts";

/** Shorter tokens are refused as malformed, as upstream does (docs/protocol.md#refresh-tokens). */
const charactersMin = 12;

const bodySchema = z.object({ refresh_token: text });

/** How long a refresh waits for the lock on its session. */
const lockTimeoutSeconds = 5;

/** Exchanges a refresh token for a new access token and refresh token (docs/protocol.md#refresh-tokens). */
export async function refresh(request: FastifyRequest, context: AuthContext) {
  const { refresh_token: presented } = readBody(request, bodySchema);
  if (presented.length < charactersMin) throw refusals.malformedRefreshToken();

  const settings = { text: `set local lock_timeout = '${lockTimeoutSeconds}s'`, values: [] };
  const exchanging = inTransaction(context.owner, (db) => exchange(db, request, presented, context), settings);
  const opened = await exchanging.catch((error: unknown) => {
    throw (error as { code?: string }).code === lockNotAvailable ? refusals.refreshConflict(error) : error;
  });
  // Throw the refusal only after the transaction: the end of the session must be committed although the request fails.
  if (opened instanceof Refusal) throw opened;
  return sessionJson(context, opened);
}

/** PostgreSQL's error code when a statement waits for a lock longer than `lock_timeout`. */
const lockNotAvailable = "55P03";

async function exchange(
  db: ClientBase,
  request: FastifyRequest,
  presented: string,
  context: AuthContext,
): Promise<OpenSession | Refusal> {
  const now = context.now();
  const session = await lockSessionOf(db, presented);
  const user = session && (await findUser(db, session.user_id));
  if (!session || !user) throw refusals.unknownRefreshToken();
  if (isBanned(user, now)) throw refusals.banned();
  if (isExpired(session, context, now)) {
    await endLockedSession(db, session);
    return refusals.expiredSession();
  }

  await requireLimits(context, db, ["requests of a session"], { session: session.id });
  const next = await rotateRefreshToken(db, { session, presented, now });
  if (!next) {
    await endReusedSession(db, request, session, user, now);
    return refusals.reusedRefreshToken();
  }
  const { ip, userAgent } = clientOf(request);
  await db.query("update auth.sessions set refreshed_at = $2, ip = $3, user_agent = $4 where id = $1", [
    session.id,
    now,
    ip,
    userAgent,
  ]);
  return { session, user, refreshToken: next };
}

/**
 * Ends a session whose refresh token was used a second time: two parties hold the token, and the server cannot tell
 * which one is the owner. All refresh tokens of the session end with it, as in the second version of upstream's refresh
 * tokens. The server also refuses the access tokens of the session from now on.
 */
async function endReusedSession(db: ClientBase, request: FastifyRequest, session: Session, user: User, now: Date) {
  await endLockedSession(db, session);
  const traits = { reason: "refresh_token_already_used" };
  await writeAuditLog(db, { action: "token_revoked", user, at: now, traits, ip: request.ip });
}

/** Unlike `endSessions`, it does not lock the account, because the session is locked already. */
async function endLockedSession(db: ClientBase, { id }: Session) {
  await db.query("delete from auth.sessions where id = $1", [id]);
}
