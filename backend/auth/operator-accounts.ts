import type { ClientBase } from "pg";
import type { QueueMail } from "./account-mail/queued-mail.ts";
import { writeAuditLog } from "./audit-log.ts";
import { requireEmail } from "./normalize-email.ts";
import { replacePassword } from "./passwords/password-change.ts";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import { checkNewPassword } from "./passwords/password-rules.ts";
import { refusals } from "./refusals.ts";
import { removeRecoveryCodes } from "./second-factor/factors.ts";
import { endSessions } from "./sessions/session-store.ts";
import { addUser, changeUser, deleteUnconfirmedUser, lockUserByEmail, type NewUser, type User } from "./users.ts";

export interface Credentials {
  email: string;
  passwordHash: string;
}

/** Throws for an invalid address or a weak password. Call it before the transaction: hashing holds a connection. */
export async function hashCredentials(
  { email, password }: { email: string; password: string },
  { hasher, charactersMin }: { hasher: PasswordHasher; charactersMin: number },
): Promise<Credentials> {
  const address = requireEmail(email);
  await checkNewPassword(password, { email: address, charactersMin });
  return { email: address, passwordHash: await hasher.hash(password) };
}

/** The account counts as confirmed, because the operator is responsible for its address. */
export async function createConfirmedAccount(db: ClientBase, { email, passwordHash }: Credentials): Promise<User> {
  const user = await addAccount(db, { email, passwordHash, isConfirmed: true });
  await writeAuditLog(db, { action: "user_signedup", user, traits: { by: "operator" } });
  return user;
}

/** The account has no password until its owner follows the mailed link and chooses one. */
export async function inviteAccount(
  db: ClientBase,
  { email, redirectTo, queueMail }: { email: string; redirectTo: string; queueMail: QueueMail },
): Promise<User> {
  const address = requireEmail(email);
  const added = await addAccount(db, { email: address, passwordHash: null, isConfirmed: false });
  const user = await changeUser(db, added, {}, "invited_at");
  await writeAuditLog(db, { action: "user_invited", user, traits: { by: "operator" } });
  await queueMail(db, { kind: "invite", email: address, redirectTo });
  return user;
}

/** Throws if the address has a confirmed account. */
async function addAccount(db: ClientBase, account: Omit<NewUser, "metadata">): Promise<User> {
  await deleteUnconfirmedUser(db, account.email);
  const user = await addUser(db, { ...account, metadata: {} });
  if (!user) throw refusals.alreadyRegistered();
  return user;
}

/** Sets a new password and ends all sessions, links and codes. Returns undefined if the address has no account. */
export async function resetPassword(db: ClientBase, { email, passwordHash }: Credentials): Promise<User | undefined> {
  const user = await lockUserByEmail(db, email);
  return user && replacePassword(db, user, passwordHash, { isOwners: true, traits: { by: "operator" } });
}

/** Removes the password, ends all sessions, links and codes, and mails the owner a link to choose a new password. */
export async function removePassword(
  db: ClientBase,
  email: string,
  { redirectTo, queueMail }: { redirectTo: string; queueMail: QueueMail },
) {
  const user = await lockUserByEmail(db, email);
  if (!user) throw refusals.noSuchUser();
  await replacePassword(db, user, null, { isOwners: true, traits: { removed_by: "operator" } });
  await queueMail(db, { kind: "choose-password", email, redirectTo });
}

/** Whether the password is from before the address was confirmed: it may be a stranger's. */
export async function hasUnprovedPassword(db: ClientBase, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from auth.users where id = $1 and encrypted_password is not null and not password_set_after_confirmation`,
    [userId],
  );
  return rowCount === 1;
}

/**
 * Removes all factors and recovery codes, ends the sessions and mails the owner. Returns false, and does nothing,
 * without a second factor. The caller must have locked the account.
 */
export async function resetSecondFactor(db: ClientBase, user: User, queueMail: QueueMail): Promise<boolean> {
  // `user` may hold the factors of before this transaction waited for the lock.
  const { rowCount } = await db.query(
    `delete from auth.mfa_factors where user_id = $1
       and exists (select from auth.mfa_factors where user_id = $1 and status = 'verified')`,
    [user.id],
  );
  if (!rowCount) return false;
  await removeRecoveryCodes(db, user);
  await endSessions(db, user.id);
  await writeAuditLog(db, { action: "second_factor_reset", user, traits: { by: "operator" } });
  const facts = [["Changed by", "the people who run this site"]] as const;
  await queueMail(db, { kind: "second-factor-removed", email: user.email, facts });
  return true;
}
