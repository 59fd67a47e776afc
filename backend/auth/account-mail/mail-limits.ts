import type { ClientBase } from "pg";
import { limits } from "#backend/limits/limits";
import { fillBuckets, type LimiterContext, takeLimits } from "#backend/limits/rate-limiter";
import { isAdmin } from "../admin-roles.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { refusalOf, requireLimits } from "../require-limits.ts";
import { lockUserByEmail, type User } from "../users.ts";
import { isDue, isNotice, type MailWithToken, mailsWithToken, type RequestedMail } from "./queued-mail.ts";

/** Each kind of mail has a limit of its own, so that a flood of sign-ups does not delay recovery mails. */
const limitedMails = ["sign-up", "recovery", "email-change", "own-email-change"] as const;
export type LimitedMail = (typeof limitedMails)[number];

export interface DueMail {
  kind: LimitedMail;
  email: string;
  /** The limit of the whole site that it counts for; undefined: none. */
  siteKind: LimitedMail | "unconfirmed" | undefined;
}

/**
 * A change is mailed to both addresses. Mails to the present one have a limit of their own: strangers who ask for a
 * change to this address must not use up the mails that its owner needs to leave it. The limits are taken in one order,
 * so that two people who want each other's address do not deadlock.
 */
async function mailsOfEmailChange(db: ClientBase, user: User, newEmail: string): Promise<DueMail[]> {
  const siteKind = (await isAdmin(db, user)) ? undefined : "email-change";
  return [user.email, newEmail].toSorted().map((email) => {
    return { kind: email === user.email ? "own-email-change" : "email-change", email, siteKind };
  });
}

/**
 * Counts a mail that is about to be sent, and returns the limit that it exceeds. While strangers use up the mails of an
 * address, its mailbox always holds a link that works (docs/protocol.md#lifetimes-of-links-and-codes). Call it in the
 * transaction that queues the mail, after the account was locked: one order of locks, so no deadlock.
 */
export function countMail(context: LimiterContext, db: ClientBase, { kind, email, siteKind }: DueMail) {
  const names = [...(siteKind ? (["mails of the site"] as const) : []), "mails to an address"] as const;
  return takeLimits(context, db, names, { mail: kind, email, "site mail": siteKind ?? "" });
}

/**
 * Admits the mails of a change that a signed-in person requests, or throws 429. All foreign addresses are treated
 * alike, so the refusal reveals nothing.
 */
export async function admitEmailChange(
  context: AuthContext,
  db: ClientBase,
  { ip, user, newEmail }: { ip: string; user: User; newEmail: string },
) {
  await requireLimits(context, db, ["repeated mail requests"], { mail: "email-change", email: user.email, ip });
  for (const mail of await mailsOfEmailChange(db, user, newEmail)) {
    const excess = await countMail(context, db, mail);
    // The exact time would tell how much mail a foreign address gets.
    if (excess?.name === "mails to an address") throw refusals.tooManyMails(limits[excess.name].seconds);
    if (excess) throw refusalOf(excess);
  }
}

/** Call after a mailed link or code was used: its owner may request as many mails again. */
export async function fillMailsToAddress(db: ClientBase, email: string) {
  await fillBuckets(db, "mails to an address", ...limitedMails.map((mail) => ({ mail, email })));
}

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
