import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { plainEmailAddress } from "../email-address.ts";
import { recordSuccess, returnPasswordAttempt, takePasswordAttempt } from "../limits/password-attempts.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request/request-body.ts";
import { removeExpired } from "../retention.ts";
import { alertAboutNewDevice } from "../sessions/new-device-alert.ts";
import { clientOf, openSession, sessionJson } from "../sessions/sessions.ts";
import { findUserByEmail, isBanned, lockUser, type User } from "../users.ts";

const body = z.object({ email: text, password: text });

/** Protocol section 2.3. An unknown address costs the same work and earns the same words as a wrong password. */
export async function signIn(request: FastifyRequest, parts: AuthContext) {
  const { email, password } = readBody(request, body);
  if (email.trim() === "") throw refusals.noCredentials();

  const address = plainEmailAddress(email);
  const user = await findUserByEmail(repeatable(parts.owner), address);
  if (user && isBanned(user, parts.now())) throw refusals.banned();

  const attempt = parts.limits
    ? await takePasswordAttempt(parts.owner, { address, userId: user?.id, ip: request.ip }, parts.now())
    : undefined;
  const matches = await parts.hasher.matches(user?.encrypted_password, password).catch(async (error: unknown) => {
    if (attempt) await returnPasswordAttempt(parts.owner, attempt);
    throw error;
  });
  if (!user || !matches) throw await failed(request, parts, user, refusals.wrongCredentials());
  if (!user.email_confirmed_at) throw await failed(request, parts, user, refusals.notConfirmed());

  const now = parts.now();
  const place = clientOf(request);
  const opened = await inTransaction(parts.owner, async (db) => {
    // What was compared was read without a lock, and hashing takes its time: the password may be another one by now.
    const current = await lockUser(db, user.id);
    if (!current || current.encrypted_password !== user.encrypted_password) throw refusals.wrongCredentials();
    if (isBanned(current, now)) throw refusals.banned();
    if (attempt) await recordSuccess(db, attempt);
    await writeAuditLog(db, { action: "login", user, at: now, traits: { provider: "email" }, ip: request.ip });
    await alertAboutNewDevice(db, user, place, now);
    const session = await openSession(db, { user: current, method: "password", place, now });
    await removeExpired(db, parts, now);
    return session;
  });
  return { ...(await sessionJson(parts, opened)), weak_password: null };
}

/** Upstream forgets failures (protocol section 3); whoever looks into an attack needs them. */
async function failed<R extends { code: string }>(
  request: FastifyRequest,
  parts: AuthContext,
  user: User | undefined,
  refusal: R,
): Promise<R> {
  const now = parts.now();
  await inTransaction(parts.owner, async (db) => {
    await writeAuditLog(db, {
      action: "login_failed",
      user,
      at: now,
      traits: { reason: refusal.code },
      ip: request.ip,
    });
    await removeExpired(db, parts, now);
  });
  return refusal;
}
