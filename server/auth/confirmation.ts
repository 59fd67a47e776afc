import type { ClientBase } from "pg";
import { audit } from "./audit.ts";
import type { AccountMail, AuthParts } from "./parts.ts";
import { refusals } from "./refusals.ts";
import { hashOf, newLinkToken } from "./secrets.ts";
import { changeUser, type User } from "./users.ts";

/**
 * A day, upstream's own default (protocol section 3). Hosted shortens it to an hour because there the link is as
 * guessable as a code of six digits; ours has 256 random bits, and people read their mail in the evening.
 */
const lifetimeSeconds = 24 * 60 * 60;

/** Mails `user` a link that confirms their address; an earlier one stops working. Returns the account as it is now. */
export async function mailConfirmation(
  db: ClientBase,
  parts: AuthParts,
  { user, redirectTo, now }: { user: User; redirectTo: URL; now: Date },
): Promise<User> {
  const token = newLinkToken();
  await db.query(
    `insert into auth.one_time_tokens (user_id, purpose, token_hash, expires_at) values ($1, 'confirmation', $2, $3)
     on conflict (user_id, purpose) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [user.id, hashOf(token), new Date(now.getTime() + lifetimeSeconds * 1000)],
  );
  const sent = await changeUser(db, user, { confirmation_sent_at: now }, now);
  await audit(db, { action: "user_confirmation_requested", user, at: now });

  const query = new URLSearchParams({ token, type: "signup", redirect_to: redirectTo.href });
  const link = `${parts.siteUrl}/auth/v1/verify?${query}`;
  await send(parts, { kind: "confirm-address", to: user.email, link });
  return sent;
}

/** Somebody signs up with an address that has an account: only its owner may learn that. */
export async function mailAlreadyRegistered(db: ClientBase, parts: AuthParts, user: User, now: Date) {
  await audit(db, { action: "user_repeated_signup", user, at: now });
  await send(parts, { kind: "already-registered", to: user.email, link: `${parts.siteUrl}/auth` });
}

/** Spends a link's token: the account it confirms, or undefined if it is unknown, used, replaced or too old. */
export async function spendConfirmation(db: ClientBase, token: string, now: Date): Promise<string | undefined> {
  const { rows } = await db.query<{ user_id: string }>(
    `delete from auth.one_time_tokens where token_hash = $1 and purpose = 'confirmation' and expires_at > $2
     returning user_id`,
    [hashOf(token), now],
  );
  return rows[0]?.user_id;
}

/**
 * Inside the transaction, last of all: if the mail cannot be handed over, the sign-up never happened and can be
 * repeated at once. The other way round would leave an account that nobody can confirm for a minute.
 */
async function send({ sendMail }: AuthParts, mail: AccountMail) {
  await sendMail(mail).catch((error: unknown) => {
    throw refusals.mailNotSent(error);
  });
}
