import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable, retry } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import { Refusal } from "#backend/http/refusal";
import { keyOf } from "#backend/limits/rate-limiter";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext, Endpoints } from "../auth-context.ts";
import { normalizeEmail } from "../normalize-email.ts";
import { comparePassword, takePasswordAttempt } from "../passwords/password-attempts.ts";
import { refusals } from "../refusals.ts";
import { queryText, readBody, text } from "../request-input.ts";
import { limitSession } from "../sessions/require-user.ts";
import { type OpenSession, openSession } from "../sessions/session-store.ts";
import { sessionJson } from "../tokens/access-token.ts";
import { lockSessionOf, rotateRefreshToken } from "../tokens/refresh-token-rotation.ts";
import { findUser, type User } from "../users.ts";

const passwordSchema = z.object({ email: text, phone: text, password: text });
const refreshSchema = z.object({ refresh_token: text });

/** POST /token: sign-in and refresh (docs/protocol.md#auth-api, docs/protocol.md#refresh-rotation). */
export const token: Endpoints = { "POST /token": grant };

async function grant(request: FastifyRequest, context: AuthContext) {
  const type = queryText(request, "grant_type");
  if (type === "password") return signIn(request, context);
  if (type === "refresh_token") return refresh(request, context);
  if (type === "id_token" || type === "web3") throw refusals.noProvider();
  if (type === "pkce") throw refusals.noPkce();
  throw refusals.unknownGrant();
}

/** An unknown address gets the same answer after the same work as a wrong password, so neither reveals accounts. */
async function signIn(request: FastifyRequest, context: AuthContext) {
  const { email, phone, password } = readBody(request, passwordSchema);
  if (email.trim() === "") throw phone ? refusals.noPhones() : refusals.noCredentials();

  const { ip } = request;
  const guess = { email: normalizeEmail(email), ip };
  const user = await takePasswordAttempt(context, guess);
  const matches = await comparePassword(context, user, guess, password);
  if (!user || !matches) throw await recordFailure(request, context, user, refusals.wrongCredentials());
  if (user.is_banned) throw await recordFailure(request, context, user, refusals.banned());
  if (!user.email_confirmed_at) throw await recordFailure(request, context, user, refusals.notConfirmed());

  const refills = keyOf("passwords", guess);
  const signedIn = { user, method: "password", ip, action: "login", traits: { provider: "email" }, refills } as const;
  // Each run has tokens of its own. If the answer to the first is lost, its session is used by nobody, and expires.
  const opened = await retry(context.owner, () => openSession(context.owner, signedIn));
  return { ...(await sessionJson(context, opened)), weak_password: null };
}

/** Unlike upstream: the investigation of an attack needs failed sign-ins. */
async function recordFailure(
  request: FastifyRequest,
  { owner }: AuthContext,
  user: User | undefined,
  refusal: Refusal,
): Promise<Refusal> {
  const traits = { reason: refusal.code };
  await writeAuditLog(repeatable(owner), { action: "login_failed", user, traits, ip: request.ip });
  return refusal;
}

/** Shorter refresh tokens are refused as malformed, as upstream does (docs/protocol.md#refresh-rotation). */
const charactersMin = 12;

/** Exchanges a refresh token for a new access token and refresh token. */
async function refresh(request: FastifyRequest, context: AuthContext) {
  const { refresh_token: presented } = readBody(request, refreshSchema);
  if (presented.length < charactersMin) throw refusals.malformedRefreshToken();

  const opened = await inTransaction(context.owner, (db) => exchange(db, request, presented, context));
  // Throw the refusal only after the transaction: the end of the session must be committed although the request fails.
  if (opened instanceof Refusal) throw opened;
  return sessionJson(context, opened);
}

async function exchange(
  db: ClientBase,
  request: FastifyRequest,
  presented: string,
  context: AuthContext,
): Promise<OpenSession | Refusal> {
  const session = await lockSessionOf(db, presented, context);
  const user = session && (await findUser(db, session.user_id));
  if (!session || !user) throw refusals.unknownRefreshToken();
  if (user.is_banned) throw refusals.banned();
  // Not `endSessions`, which locks the account: the session is locked already. Its refresh tokens go with it.
  const endSession = () => db.query("delete from auth.sessions where id = $1", [session.id]);
  if (session.is_expired) {
    await endSession();
    return refusals.expiredSession();
  }

  limitSession(context, session.id);
  const next = await rotateRefreshToken(db, { session, presented });
  if (!next) {
    // Two parties hold the token, and the server cannot tell which one is the owner, so the session ends for both.
    await endSession();
    const traits = { reason: "refresh_token_already_used" };
    await writeAuditLog(db, { action: "token_revoked", user, traits, ip: request.ip });
    return refusals.reusedRefreshToken();
  }
  await db.query("update auth.sessions set refreshed_at = now() where id = $1", [session.id]);
  return { session, user, refreshToken: next };
}
