import type { ClientBase } from "pg";
import { isAdmin } from "../admin-roles.ts";
import type { AuthContext } from "../auth-context.ts";
import { lockUserByEmail, type User } from "../users.ts";
import { countMail, type DueMail } from "./mail-limits.ts";
import { isDue, isNotice, type MailWithToken, mailsWithToken, type RequestedMail } from "./queued-mail.ts";

/**
 * Applies the limits of mails (docs/protocol.md#mail-limits) to a mail of /recover or /resend, and tells whether it is
 * sent. The request itself must not: they count only mails that are sent, so a refusal would reveal whether the address
 * has an account. Rejects while the site has sent its mails of the hour.
 */
export async function admitRequestedMail(
  { accountMailsPerHour }: Pick<AuthContext, "accountMailsPerHour">,
  db: ClientBase,
  { kind, email, requestedAt }: RequestedMail,
): Promise<boolean> {
  const made = isNotice(kind) ? undefined : mailsWithToken[kind];
  const user = await lockUserByEmail(db, email);
  if (!made || !user || !isDue(user, made, requestedAt)) return false;
  const mail = { ...mailOf(user, made), siteKind: (await isAdmin(db, user)) ? undefined : siteKindOf(user, made) };
  const excess = await countMail({ limitsAreOn: true, accountMailsPerHour }, db, mail);
  if (excess?.name === "mails of the site")
    throw new Error("The site has sent as many emails as ACCOUNT_MAILS_PER_HOUR allows; this one is sent later.");
  return !excess;
}

function mailOf(user: User, { purpose }: MailWithToken): Omit<DueMail, "siteKind"> {
  if (purpose === "email_change_new") return { kind: "email-change", email: user.email_change ?? "" };
  const kinds = { confirmation: "sign-up", recovery: "recovery", email_change_current: "own-email-change" } as const;
  return { kind: kinds[purpose], email: user.email };
}

/**
 * Anyone can create unconfirmed accounts, so mails to them do not count with the recovery mails of others, nor with
 * sign-ups, whose 429 would reveal that such an account exists. Mails to an admin count only for that address: other
 * accounts must not lock the site's owner out.
 */
function siteKindOf(user: User, { sentAt }: MailWithToken): DueMail["siteKind"] {
  if (sentAt === "email_change_sent_at") return "email-change";
  return user.email_confirmed_at ? "recovery" : "unconfirmed";
}
