import type { ClientBase } from "pg";
import { audit } from "./audit.ts";
import { readEmailAddress } from "./email-address.ts";
import { checkNewPassword } from "./password-rules.ts";
import { hashPassword } from "./passwords.ts";
import { refusals } from "./refusals.ts";
import { addUser, changeUser, lockUserByEmail, type User } from "./users.ts";

interface NewPassword {
  email: string;
  password: string;
  charactersMin: number;
}

/**
 * An account whose address an operator vouches for. Whoever signed up with that address and never confirmed it has no
 * claim to it, and no password of theirs survives.
 */
export async function createConfirmedAccount(
  db: ClientBase,
  { email, password, charactersMin }: NewPassword,
): Promise<User> {
  const address = readEmailAddress(email);
  await checkNewPassword(password, { email: address, charactersMin });
  const passwordHash = await hashPassword(password);

  const now = new Date();
  await db.query("delete from auth.users where email = $1 and email_confirmed_at is null", [address]);
  const user = await addUser(db, { email: address, passwordHash, metadata: {}, confirmedAt: now }, now);
  if (!user) throw refusals.alreadyRegistered();
  await audit(db, { action: "user_signedup", user, at: now, traits: { by: "operator" } });
  return user;
}

/** A new password, after which whoever knew the old one is signed out everywhere. Undefined: no such account. */
export async function resetPassword(
  db: ClientBase,
  { email, password, charactersMin }: NewPassword,
): Promise<User | undefined> {
  const address = readEmailAddress(email);
  await checkNewPassword(password, { email: address, charactersMin });
  const passwordHash = await hashPassword(password);
  const user = await lockUserByEmail(db, address);
  if (!user) return undefined;

  const now = new Date();
  await db.query("delete from auth.sessions where user_id = $1", [user.id]);
  await db.query("delete from auth.one_time_tokens where user_id = $1", [user.id]);
  await audit(db, { action: "user_updated_password", user, at: now, traits: { by: "operator" } });
  return changeUser(db, user, { encrypted_password: passwordHash }, now);
}
