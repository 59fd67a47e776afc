import type { ClientBase } from "pg";
import { limits } from "#server/http/limits";
import { isAdmin } from "../admin-roles.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import type { User } from "../users.ts";
import { fillBuckets, type LimiterContext, refusalOf, requireLimits, takeLimits } from "./rate-limiter.ts";

/** Each kind of mail is limited apart, so that a flood of sign-ups delays nobody's recovery mail. */
export const limitedMails = ["sign-up", "recovery", "email-change", "own-email-change"] as const;
type LimitedMail = (typeof limitedMails)[number];

/**
 * A change of the address is mailed to both addresses. The mails to the present one count apart: strangers who ask for a
 * change to this address must not use up the mails that its owner needs to leave it.
 */
export function kindOfChangeMail(user: User, email: string): LimitedMail {
  return email === user.email ? "own-email-change" : "email-change";
}

export interface DueMail {
  kind: LimitedMail;
  email: string;
  /** The kind of mails of the whole site with which it counts; undefined: with none. */
  siteKind: LimitedMail | "unconfirmed" | undefined;
}

/**
 * Counts a mail that is about to be sent, and returns the limit that it exceeds. While strangers use up the mails of an
 * address, its mailbox always holds a link that works: there is a new link each 15 minutes, and links of the last hour work
 * (docs/protocol.md#lifetimes-of-links-and-codes). Call it in the transaction that queues the mail, after the account was
 * locked: all callers lock in this order, so there is no deadlock.
 */
export function countMail(context: LimiterContext, db: ClientBase, { kind, email, siteKind }: DueMail) {
  const names = [...(siteKind ? (["mails of the site"] as const) : []), "mails to an address"] as const;
  return takeLimits(context, db, names, { mail: kind, email, "site mail": siteKind ?? "" });
}

/**
 * Admits a mail that a signed-in person requests, to each of these addresses, or throws 429. The caller knows the own
 * address, and each other address is treated alike, so the refusal reveals nothing.
 */
export async function admitOwnMail(
  context: AuthContext,
  db: ClientBase,
  { kind, ip, user, addresses }: { kind: LimitedMail; ip: string; user: User; addresses: readonly string[] },
) {
  await requireLimits(context, db, ["repeated mail requests"], { mail: kind, email: user.email, ip });
  const siteKind = (await isAdmin(db, user)) ? undefined : kind;
  // In one order, so that two people who want each other's address do not wait for each other's locks.
  for (const email of addresses.toSorted()) {
    const mail = { kind: kind === "email-change" ? kindOfChangeMail(user, email) : kind, email, siteKind };
    const excess = await countMail(context, db, mail);
    // The exact time would tell how much mail a foreign address gets.
    if (excess?.name === "mails to an address") throw refusals.tooManyMails(limits[excess.name].seconds);
    if (excess) throw refusalOf(excess);
  }
}

/** Call after a mailed link or code was used: its owner may request as many mails again. */
export async function fillMailsToAddress(db: ClientBase, email: string) {
  await fillBuckets(db, ["mails to an address"], ...limitedMails.map((mail) => ({ mail, email })));
}
