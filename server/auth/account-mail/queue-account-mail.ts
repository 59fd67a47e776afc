import type { ClientBase } from "pg";
import { addJob, attemptsFor } from "#server/jobs/queue";
import type { AccountMail } from "#server/mail/account-mail";
import { writeAuditLog } from "../audit-log.ts";
import type { User } from "../users.ts";

/** A requested mail. It is stored in the database as a job until it is sent, so it must hold no secret. */
export interface QueuedMail {
  /** "change-email" goes to both addresses of a change, see `emailChangeMail`. */
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

/**
 * Queues the mail in the transaction of the request, even for an address without an account. The job decides later
 * whether to send a mail, and which one. So a slow mail server delays no answer, and no answer reveals whether an
 * account exists.
 */
export async function queueAccountMail(db: ClientBase, mail: QueuedMail) {
  const { kind, email, redirectTo = "", facts, requestedAt, isLimited, priority = 0 } = mail;
  const payload = { email, redirect_to: redirectTo, facts, asked_at: requestedAt, limited: isLimited || undefined };
  // Until it has passed the limits, the mail to both addresses is one job.
  const kinds = kind === "change-email" && !isLimited ? [kind, "change-email-new"] : [kind];
  for (const each of kinds)
    await addJob(db, "account-mail", { kind: each, ...payload }, { attempts: attemptsFor.oneDay, priority });
}

/**
 * Records the request for a confirmation mail in the account and in the audit log. The same SQL statements run for
 * confirmed and unconfirmed accounts, so the response time does not show which one it is.
 */
export async function recordConfirmationRequest(
  db: ClientBase,
  user: User,
  requestedAt: Date,
  traits?: Record<string, unknown>,
) {
  await db.query(
    `update auth.users set confirmation_sent_at = $2, updated_at = $2 where id = $1 and email_confirmed_at is null`,
    [user.id, requestedAt],
  );
  const action = user.email_confirmed_at ? "user_repeated_signup" : "user_confirmation_requested";
  await writeAuditLog(db, { action, user, at: requestedAt, ...(traits && { traits }) });
}
