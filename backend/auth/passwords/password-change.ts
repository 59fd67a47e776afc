import type { ClientBase } from "pg";
import { repeatable } from "#backend/database/reconnect";
import { fillBuckets } from "#backend/limits/rate-limiter";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { endSessions } from "../sessions/session-store.ts";
import { deleteOneTimeTokens } from "../tokens/one-time-tokens.ts";
import { changeUser, noEmailChange, type User } from "../users.ts";
import { comparePassword, takePasswordAttempt } from "./password-attempts.ts";
import { checkNewPassword } from "./password-rules.ts";

export interface PasswordChange {
  user: User;
  sessionId: string;
  password: string;
  currentPassword: string;
  ip: string;
}

/** Checks both passwords, and returns the hash of the new one (docs/protocol.md#password-change). */
export async function hashNewPassword(context: AuthContext, change: PasswordChange): Promise<string> {
  const { user, password } = change;
  await checkNewPassword(password, { email: user.email, charactersMin: context.passwordCharactersMin });
  await requireCurrentPassword(context, change);
  if (await context.hasher.matches(user.encrypted_password, password)) throw refusals.samePassword();
  return context.hasher.hash(password);
}

/**
 * A stranger at an unlocked device must not be able to take over the account. So the current password is required,
 * except in a session that a mail has just opened. Wrong ones count like those at sign-in.
 */
async function requireCurrentPassword(context: AuthContext, { user, sessionId, currentPassword, ip }: PasswordChange) {
  if (user.encrypted_password === null) return;
  if (currentPassword === "") {
    if (await wasJustOpenedByMail(context, sessionId)) return;
    throw refusals.noCurrentPassword();
  }
  const { owner } = context;
  const guess = { email: user.email, ip };
  await takePasswordAttempt(context, guess);
  if (!(await comparePassword(context, user, guess, currentPassword))) {
    const traits = { reason: "current_password_invalid" };
    await writeAuditLog(repeatable(owner), { action: "login_failed", user, traits, ip });
    throw refusals.wrongCurrentPassword();
  }
  await fillBuckets(repeatable(owner), "passwords", guess);
}

/** An hour is much shorter than the session, which may last a year, so that a stranger at the device cannot use it. */
async function wasJustOpenedByMail({ owner }: AuthContext, sessionId: string): Promise<boolean> {
  const { rowCount } = await repeatable(owner).query(
    `select from auth.sessions where id = $1 and amr @> '[{"method": "otp"}]'
       and created_at between now() - interval '1 hour' and now() + interval '1 minute'`,
    [sessionId],
  );
  return rowCount === 1;
}

/**
 * Without a current password a mail has just opened the session, so the new password is that of the owner of the address.
 * With one, it is as good as that one was (docs/protocol.md#an-unproved-password).
 */
export async function changePassword(
  context: AuthContext,
  db: ClientBase,
  { user, sessionId, currentPassword, ip }: PasswordChange,
  passwordHash: string,
): Promise<User> {
  await context.queueMail(db, { kind: "password-changed", email: user.email });
  const isOwners = currentPassword === "";
  return replacePassword(db, user, passwordHash, { isOwners, except: sessionId, ip });
}

/**
 * Also ends all sessions, but one, and every mailed link and code: an intruder may hold one of them. `isOwners`: whether the
 * password, or the absence of one, is the decision of the owner of the address.
 */
export async function replacePassword(
  db: ClientBase,
  user: User,
  passwordHash: string | null,
  { isOwners, except, ...entry }: { isOwners: boolean; except?: string; ip?: string; traits?: Record<string, unknown> },
): Promise<User> {
  await endSessions(db, user.id, { except });
  await deleteOneTimeTokens(db, user.id);
  await writeAuditLog(db, { action: "user_updated_password", user, ...entry });
  const proof = isOwners ? ({ password_set_after_confirmation: true } as const) : {};
  // An intruder may have asked for another address, and the owner may have confirmed it by mistake.
  return changeUser(db, user, { encrypted_password: passwordHash, ...noEmailChange, ...proof });
}
