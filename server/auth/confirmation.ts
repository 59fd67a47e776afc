import type { ClientBase } from "pg";
import { audit } from "./audit.ts";
import type { Composer } from "./mail-orders.ts";
import { hashOf, newLinkToken } from "./secrets.ts";
import { lockUserByEmail, type User } from "./users.ts";

/**
 * A day, upstream's own default (protocol section 3). Hosted shortens it to an hour because there the link is as
 * guessable as a code of six digits; ours has 256 random bits, and people read their mail in the evening.
 */
const lifetimeSeconds = 24 * 60 * 60;

/** A link that confirms the address; an earlier one stops working. */
export const composeConfirmation: Composer = async (db, { siteUrl, now }, { email, redirectTo, askedAt }) => {
  const user = await lockUserByEmail(db, email);
  if (!user || user.email_confirmed_at) return undefined;

  // Whoever asks again gets the mail of that request. The one of an earlier request, late as it is, would end its link.
  const lastAsked = user.confirmation_sent_at ?? new Date(0);
  if (lastAsked > askedAt) return undefined;
  if (lastAsked < askedAt) await noteRequest(db, user, askedAt);

  const token = newLinkToken();
  await db.query(
    `insert into auth.one_time_tokens (user_id, purpose, token_hash, expires_at) values ($1, 'confirmation', $2, $3)
     on conflict (user_id, purpose) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [user.id, hashOf(token), new Date(now().getTime() + lifetimeSeconds * 1000)],
  );
  const query = new URLSearchParams({ token, type: "signup", redirect_to: redirectTo });
  return { kind: "confirm-address", to: user.email, link: `${siteUrl}/auth/v1/verify?${query}` };
};

/** Somebody signed up with an address that has an account: only its owner may learn that. */
export const composeAlreadyRegistered: Composer = async (db, { siteUrl }, { email }) => {
  const user = await lockUserByEmail(db, email);
  return user && { kind: "already-registered", to: user.email, link: `${siteUrl}/auth` };
};

/** What a request leaves in the account and in the log. The statements are the same whether it is confirmed or not. */
export async function noteRequest(db: ClientBase, user: User, askedAt: Date) {
  await db.query(
    `update auth.users set confirmation_sent_at = $2, updated_at = $2 where id = $1 and email_confirmed_at is null`,
    [user.id, askedAt],
  );
  const action = user.email_confirmed_at ? "user_repeated_signup" : "user_confirmation_requested";
  await audit(db, { action, user, at: askedAt });
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
