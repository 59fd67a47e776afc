import type { ClientBase } from "pg";
import { fillMailsToAddress } from "./account-mail/mail-limits.ts";
import { mailsOfChange, type QueueMail } from "./account-mail/queued-mail.ts";
import { refusals } from "./refusals.ts";
import { deleteOneTimeTokens, type EmailChangePurpose, emailChangePurposes } from "./tokens/one-time-tokens.ts";
import { changeUser, deleteUnconfirmedUser, noEmailChange, type User, unlessConfirmed } from "./users.ts";

/**
 * Begins a change of the address, which replaces a pending one, and queues a mail to both addresses. It does not look
 * for an account with the new address, so neither answer nor time reveals one. The job that writes the mail does, and
 * tells that account's owner.
 */
export async function beginEmailChange(
  db: ClientBase,
  user: User,
  { newEmail, redirectTo, queueMail }: { newEmail: string; redirectTo: string; queueMail: QueueMail },
): Promise<User> {
  await deleteOneTimeTokens(db, user.id, emailChangePurposes);
  for (const kind of mailsOfChange) await queueMail(db, { kind, email: user.email, redirectTo });
  const changes = { email_change: newEmail, email_change_confirmed_by: null };
  return changeUser(db, user, changes, "email_change_sent_at");
}

/** The caller must have locked the account. */
export async function endEmailChange(db: ClientBase, user: User): Promise<User> {
  await deleteOneTimeTokens(db, user.id, emailChangePurposes);
  return changeUser(db, user, noEmailChange);
}

/**
 * Takes the confirmation of one address. Returns the account with its new address if the other one has confirmed
 * before. The caller has locked the account, so of two links at the same time one is the second.
 */
export async function confirmEmailChange(
  db: ClientBase,
  user: User,
  { purpose, queueMail }: { purpose: EmailChangePurpose; queueMail: QueueMail },
): Promise<User | undefined> {
  const { email_change: email, email_change_confirmed_by: confirmedBy } = user;
  if (email === null) throw refusals.invalidLink();
  const side = purpose === "email_change_new" ? "new" : "current";
  if (confirmedBy === null || confirmedBy === side) {
    await deleteOneTimeTokens(db, user.id, [purpose]);
    await changeUser(db, user, { email_change_confirmed_by: side });
    return undefined;
  }

  // An invitation to the new address also goes: it is no longer needed.
  await deleteUnconfirmedUser(db, email);
  // The owner of the new address may not have chosen the password (docs/protocol.md#an-unproved-password).
  const changes = { email, ...noEmailChange, password_set_after_confirmation: false };
  const changed = await changeUser(db, user, changes, ...unlessConfirmed(user)).catch((error: { code?: string }) => {
    // Another account has confirmed this address meanwhile.
    throw error.code === uniqueViolation ? refusals.invalidLink() : error;
  });
  await deleteOneTimeTokens(db, user.id);
  // In one order, so that two people who swap addresses do not wait for each other's locks.
  for (const address of [user.email, email].toSorted()) await fillMailsToAddress(db, address);
  await queueMail(db, { kind: "email-changed", email: user.email });
  return changed;
}

const uniqueViolation = "23505";
