import type { ClientBase } from "pg";
import { writeAuditLog } from "../audit-log.ts";
import { issueToken, type Purpose } from "../tokens/one-time-tokens.ts";
import { lockUserByEmail, type User } from "../users.ts";
import { typeOf } from "./link-types.ts";
import { mailedLink } from "./mailed-link.ts";
import type { MailTemplate, TokenMailTemplate } from "./queued-mails.ts";

/**
 * A link and a code that confirm the address; earlier ones stop working. An account without a password was made by
 * somebody who invited its owner: whichever way its mail is asked for, it stays an invitation.
 */
export const confirmationMail: TokenMailTemplate = async (
  db,
  { siteUrl, now },
  { email, redirectTo, askedAt },
  made,
) => {
  const user = await lockUserByEmail(db, email);
  if (!user || user.email_confirmed_at) return undefined;

  // Whoever asks again gets the mail of that request. The one of an earlier request, late as it is, would end its link.
  const lastAsked = user.confirmation_sent_at ?? new Date(0);
  if (lastAsked > askedAt) return undefined;
  if (lastAsked < askedAt) await recordConfirmationRequest(db, user, askedAt);

  const purpose: Purpose = user.encrypted_password === null ? "invite" : "confirmation";
  await issueToken(db, { userId: user.id, purpose }, made, now());
  const link = mailedLink({ siteUrl, token: made.token, type: typeOf[purpose], redirectTo });
  return { kind: purpose === "invite" ? "invite" : "confirm-address", to: user.email, link, code: made.code };
};

/** Somebody signed up with an address that has an account: only its owner may learn that. */
export const alreadyRegisteredMail: MailTemplate = async (db, { siteUrl }, { email }) => {
  const user = await lockUserByEmail(db, email);
  return user && { kind: "already-registered", to: user.email, link: `${siteUrl}/auth` };
};

/** What a request leaves in the account and in the log. The statements are the same whether it is confirmed or not. */
export async function recordConfirmationRequest(db: ClientBase, user: User, askedAt: Date) {
  await db.query(
    `update auth.users set confirmation_sent_at = $2, updated_at = $2 where id = $1 and email_confirmed_at is null`,
    [user.id, askedAt],
  );
  const action = user.email_confirmed_at ? "user_repeated_signup" : "user_confirmation_requested";
  await writeAuditLog(db, { action, user, at: askedAt });
}
