import type { ClientBase } from "pg";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { type MailTemplate, queueAccountMail } from "../account-mail/queued-mails.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { recordSuccess, returnPasswordAttempt, takePasswordAttempt } from "../limits/password-attempts.ts";
import { refusals } from "../refusals.ts";
import { deleteOneTimeTokens } from "../tokens/one-time-tokens.ts";
import { changeUser, lockUserByEmail, type User } from "../users.ts";

/** Who changes their password, and what they say that it is now. */
export interface Claimant {
  user: User;
  sessionId: string;
  currentPassword: string;
  ip: string;
}

/**
 * A session that somebody found open must not be enough to take the account over, unless a mail has just stood in for the
 * password (protocol section 2.6). Tries count like those of a sign-in.
 */
export async function requireCurrentPassword(parts: AuthContext, { user, sessionId, currentPassword, ip }: Claimant) {
  if (user.encrypted_password === null) return;
  if (currentPassword === "") {
    if (await wasOpenedByMail(parts, sessionId)) return;
    throw refusals.noCurrentPassword();
  }
  const { owner, limits, hasher, now } = parts;
  const attempt = limits
    ? await takePasswordAttempt(owner, { address: user.email, userId: user.id, ip }, now())
    : undefined;
  const matches = await hasher.matches(user.encrypted_password, currentPassword).catch(async (error: unknown) => {
    if (attempt) await returnPasswordAttempt(owner, attempt);
    throw error;
  });
  if (!matches) {
    const traits = { reason: "current_password_invalid" };
    await inTransaction(owner, (db) => writeAuditLog(db, { action: "login_failed", user, at: now(), traits, ip }));
    throw refusals.wrongCurrentPassword();
  }
  if (attempt) await inTransaction(owner, (db) => recordSuccess(db, attempt));
}

/** Not for ever: a session that began with a mail may last for years. */
const mailCountsSeconds = 60 * 60;

async function wasOpenedByMail({ owner, now }: AuthContext, sessionId: string): Promise<boolean> {
  const { rowCount } = await repeatable(owner).query(
    `select from auth.sessions where id = $1 and amr @> '[{"method": "otp"}]' and created_at > $2`,
    [sessionId, new Date(now().getTime() - mailCountsSeconds * 1000)],
  );
  return rowCount === 1;
}

/** Whoever knew the old password, or has a mail that gets in without one, is out: all but the session that asks. */
export async function changePassword(
  db: ClientBase,
  { user, sessionId, ip }: Pick<Claimant, "user" | "sessionId" | "ip">,
  { passwordHash, siteUrl, now }: { passwordHash: string; siteUrl: string; now: Date },
): Promise<User> {
  await db.query("delete from auth.sessions where user_id = $1 and id <> $2", [user.id, sessionId]);
  await deleteOneTimeTokens(db, user.id);
  await writeAuditLog(db, { action: "user_updated_password", user, at: now, ip });
  await queueAccountMail(db, { kind: "password-changed", email: user.email, redirectTo: `${siteUrl}/`, askedAt: now });
  return changeUser(db, user, { encrypted_password: passwordHash }, now);
}

/**
 * So that the owner hears of it if it was somebody else. A function that is declared is there before its file has run:
 * the list of composers names it, and may be read first.
 */
export async function passwordChangedMail(
  ...[db, { siteUrl }, { email }]: Parameters<MailTemplate>
): ReturnType<MailTemplate> {
  const user = await lockUserByEmail(db, email);
  return user && { kind: "password-changed", to: user.email, link: `${siteUrl}/auth` };
}
