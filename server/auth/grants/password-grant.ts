import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { plainEmailAddress } from "../email-address.ts";
import { tryPassword } from "../limits/password-attempts.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request-input.ts";
import { sessionJson } from "../sessions/session-json.ts";
import { clientOf, openSession } from "../sessions/sessions.ts";
import { findUserByEmail, isBanned, type User } from "../users.ts";

const bodySchema = z.object({ email: text, phone: text, password: text });

/**
 * Signs in with a password. An unknown address gets the same answer after the same work as a wrong password, so neither
 * answer nor timing reveals accounts (docs/protocol.md#password-sign-in).
 */
export async function signIn(request: FastifyRequest, context: AuthContext) {
  const { email, phone, password } = readBody(request, bodySchema);
  if (email.trim() === "") throw phone ? refusals.noPhoneSignIns() : refusals.noCredentials();

  const address = plainEmailAddress(email);
  const user = await findUserByEmail(repeatable(context.owner), address);
  if (user && isBanned(user, context.now())) throw refusals.banned();

  const { matches, recordSuccess } = await tryPassword(context, { email: address, user, password, ip: request.ip });
  if (!user || !matches) throw await recordFailure(request, context, user, refusals.wrongCredentials());
  if (!user.email_confirmed_at) throw await recordFailure(request, context, user, refusals.notConfirmed());

  const opened = await inTransaction(context.owner, async (db) => {
    await recordSuccess(db);
    const now = context.now();
    const traits = { provider: "email" };
    return openSession(db, { user, way: "password", client: clientOf(request), action: "login", traits, now });
  });
  return { ...(await sessionJson(context, opened)), weak_password: null };
}

/**
 * Logs a failed sign-in, because the investigation of an attack needs it. Upstream does not log failed sign-ins
 * (docs/protocol.md#audit-log).
 */
async function recordFailure<R extends { code: string }>(
  request: FastifyRequest,
  { owner, now }: AuthContext,
  user: User | undefined,
  refusal: R,
): Promise<R> {
  const traits = { reason: refusal.code };
  await writeAuditLog(repeatable(owner), { action: "login_failed", user, at: now(), traits, ip: request.ip });
  return refusal;
}
