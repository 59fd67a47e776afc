import type { ClientBase } from "pg";
import { addJob, attemptsFor } from "#server/jobs/queue";
import type { AccountMail } from "#server/mail/write-account-mail";
import type { User } from "../users.ts";

/** A requested mail. It is stored in the database as a job until it is sent, so it must hold no secret. */
export interface QueuedMail {
  /** "change-email" goes to both addresses of a change; the job for the new one is of kind "change-email-new". */
  kind: Exclude<AccountMail["kind"], "new-email-taken">;
  /** The address of the account. */
  email: string;
  /** The page to open after the mailed link was used, if it has a token. */
  redirectTo?: string;
  /** Details of the event that the mail reports, as pairs of name and value. */
  facts?: AccountMail["facts"];
  requestedAt: Date;
  /** Whether the mail still has to pass the limits of mails, see `admitRequestedMail`. */
  isLimited?: boolean;
  /** See `JobOptions`. */
  priority?: number;
}

/** A mail with a link and a code. The account stores when the latest one was requested. */
export interface MailWithToken {
  purpose: "confirmation" | "recovery" | "email_change_current" | "email_change_new";
  sentAt: "confirmation_sent_at" | "recovery_sent_at" | "email_change_sent_at";
}

/** A mail that tells an owner what happened, in case an intruder did it. Its link opens a page and has no token. */
interface Notice {
  page: string;
}

export const mailKinds: Record<QueuedMail["kind"] | "change-email-new", MailWithToken | Notice> = {
  "confirm-address": { purpose: "confirmation", sentAt: "confirmation_sent_at" },
  invite: { purpose: "confirmation", sentAt: "confirmation_sent_at" },
  recover: { purpose: "recovery", sentAt: "recovery_sent_at" },
  "choose-password": { purpose: "recovery", sentAt: "recovery_sent_at" },
  "change-email": { purpose: "email_change_current", sentAt: "email_change_sent_at" },
  "change-email-new": { purpose: "email_change_new", sentAt: "email_change_sent_at" },
  "already-registered": { page: "/auth" },
  "password-changed": { page: "/auth" },
  "email-changed": { page: "/auth" },
  "contacts-granted": { page: "/admin/contacts" },
  "new-device": { page: "/account" },
  "second-factor-added": { page: "/account" },
  "second-factor-removed": { page: "/account" },
  "recovery-code-used": { page: "/account" },
};

/**
 * Only the latest request gets a mail: a delayed mail of an earlier one would end the latest code. A request from the
 * future, when a clock was wrong, is not the latest.
 */
export function isDue(user: User, { purpose, sentAt }: MailWithToken, requestedAt: Date, now: Date): boolean {
  const latest = user[sentAt];
  if (latest && latest > requestedAt && latest <= now) return false;
  if (purpose === "recovery") return true;
  return purpose === "confirmation" ? !user.email_confirmed_at : user.email_change !== null;
}

/**
 * Queues the mail in the transaction of the request, even for an address without an account. The job decides whether to
 * send which one, so a slow mail server delays no answer, and no answer reveals an account.
 */
export async function queueAccountMail(db: ClientBase, mail: QueuedMail) {
  const { kind, email, redirectTo = "", facts, requestedAt, isLimited, priority = 0 } = mail;
  const payload = { email, redirect_to: redirectTo, facts, asked_at: requestedAt, limited: isLimited || undefined };
  // Until it has passed the limits, the mail to both addresses is one job.
  const kinds = kind === "change-email" && !isLimited ? [kind, "change-email-new"] : [kind];
  for (const each of kinds)
    await addJob(db, "account-mail", { kind: each, ...payload }, { attempts: attemptsFor.oneDay, priority });
}
