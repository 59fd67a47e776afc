import type { ClientBase } from "pg";
import { repeatable } from "#server/database/reconnect";
import { wideNetworkOf } from "#server/http/ip-address";
import { isAdmin } from "../admin-roles.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import type { User } from "../users.ts";
import { type RateLimit, resetRateLimits, returnToken, takeToken } from "./rate-limiter.ts";

const kinds = ["sign-up", "recovery", "email-change", "own-email-change"] as const;

/** Each kind of mail has limits of its own, so that a flood of sign-ups delays nobody's recovery mail. */
type MailLimitKind = (typeof kinds)[number];

/** How many mails one network may request. It depends on the network alone, so a refusal reveals no account. */
const requestsPerNetwork: RateLimit = { burst: 10, secondsPerToken: 6 * 60 };

/** The least time between two requests of a network for a mail to one address. */
const cooldown: RateLimit = { burst: 1, secondsPerToken: 60 };

/**
 * How many mails one address gets. While strangers use up this limit, its mailbox always holds a link that works: there
 * is a new link each 15 minutes, and links of the last hour work (docs/protocol.md#lifetimes-of-links-and-codes).
 */
const mailsPerAddress: RateLimit = { burst: 5, secondsPerToken: 15 * 60 };

/** Half of the mails at once and the other half over an hour: never more than `mailsPerHourMax` in any hour. */
function mailsOfSite(mailsPerHourMax: number): RateLimit {
  return { burst: Math.ceil(mailsPerHourMax / 2), secondsPerToken: (2 * 60 * 60) / mailsPerHourMax };
}

interface MailRequest {
  kind: MailLimitKind;
  ip: string;
}

/** Throws 429 for a network that requests too many mails (docs/protocol.md#mail-limits). */
export async function requireMailRequest(context: AuthContext, { kind, ip }: MailRequest, now: Date) {
  if (!context.limits) return;
  const key = `requests of ${kind} mails from ${wideNetworkOf(ip)}`;
  const retryAfterSeconds = await takeToken(repeatable(context.owner), key, requestsPerNetwork, now);
  if (retryAfterSeconds > 0) throw refusals.tooManyMails(retryAfterSeconds);
}

/**
 * Starts the cooldown of an address for this network and returns 0; during the cooldown, returns the seconds that
 * remain. Requests from other networks have their own cooldown, so that a stranger cannot make a person wait. Addresses
 * without an account have one too, so it does not reveal accounts.
 */
export function startMailCooldown(db: ClientBase, request: MailRequest & { email: string }, now: Date) {
  return takeToken(db, mailCooldownKey(request), cooldown, now);
}

/** Exported for tests, which end a cooldown. */
export function mailCooldownKey({ kind, ip, email }: MailRequest & { email: string }): string {
  return `${kind} mail to ${email} requested from ${wideNetworkOf(ip)}`;
}

/**
 * A change of the address is mailed to both addresses. The mails to the present one count apart: strangers who ask for a
 * change to this address must not use up the mails that its owner needs to leave it.
 */
export function kindOfChangeMail(user: User, email: string): MailLimitKind {
  return email === user.email ? "own-email-change" : "email-change";
}

export interface DueMail {
  kind: MailLimitKind;
  email: string;
  /** The kind of mails of the whole site with which it counts; undefined: with none. */
  siteKind: MailLimitKind | "unconfirmed" | undefined;
}

/**
 * Counts a mail that is about to be sent. Returns false if its address gets no more of them now; throws what `refuse`
 * makes of the seconds to wait if the whole site may not send another. Call it in the transaction that queues the mail,
 * after the account was locked: all callers lock in this order, so there is no deadlock.
 */
export async function countMail(
  db: ClientBase,
  { kind, email, siteKind }: DueMail,
  { mailsPerHourMax, now }: { mailsPerHourMax: number; now: Date },
  refuse: (retryAfterSeconds: number) => Error,
): Promise<boolean> {
  const limit = mailsOfSite(mailsPerHourMax);
  const siteKey = siteKind && `${siteKind} mails of the site`;
  const retryAfterSeconds = siteKey ? await takeToken(db, siteKey, limit, now) : 0;
  if (retryAfterSeconds > 0) throw refuse(retryAfterSeconds);

  if ((await takeToken(db, mailsToAddress(kind, email), mailsPerAddress, now)) === 0) return true;
  if (siteKey) await returnToken(db, siteKey, limit);
  return false;
}

/**
 * Admits a mail that a signed-in person requests, to each of these addresses, or throws 429. The caller knows the own
 * address, and each other address is treated alike, so the refusal reveals nothing.
 */
export async function admitOwnMail(
  db: ClientBase,
  { limits, mailsPerHourMax }: AuthContext,
  { kind, ip, user, addresses }: MailRequest & { user: User; addresses: readonly string[] },
  now: Date,
) {
  const retryAfterSeconds = await startMailCooldown(db, { kind, ip, email: user.email }, now);
  if (retryAfterSeconds > 0) throw refusals.mailCooldown(retryAfterSeconds);
  if (!limits) return;

  const siteKind = (await isAdmin(db, user)) ? undefined : kind;
  // In one order, so that two people who want each other's address do not wait for each other's locks.
  for (const email of addresses.toSorted()) {
    const mail = { kind: kind === "email-change" ? kindOfChangeMail(user, email) : kind, email, siteKind };
    const isCounted = await countMail(db, mail, { mailsPerHourMax, now }, refusals.tooManyMails);
    if (!isCounted) throw refusals.tooManyMails(mailsPerAddress.secondsPerToken);
  }
}

/** Call after a mailed link or code was used: its owner may request as many mails again. */
export async function resetMailsPerAddress(db: ClientBase, email: string) {
  await resetRateLimits(
    db,
    kinds.map((kind) => mailsToAddress(kind, email)),
  );
}

/** The keys of the limits that count mails to this address, as requested from these networks. */
export function mailLimitKeys(email: string, ips: readonly string[]): string[] {
  return kinds.flatMap((kind) => [
    mailsToAddress(kind, email),
    ...ips.map((ip) => mailCooldownKey({ kind, ip, email })),
  ]);
}

function mailsToAddress(kind: MailLimitKind, email: string): string {
  return `${kind} mails to ${email}`;
}
