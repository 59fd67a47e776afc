import type { ClientBase } from "pg";
import { addJob, attemptsFor } from "#server/jobs/queue";
import type { AccountMail } from "#server/mail/account-mail";
import { writeAuditLog } from "../audit-log.ts";
import type { User } from "../users.ts";

/** A requested mail. The job is stored in the database until the mail is sent, so it holds no secret. */
export interface QueuedMail {
  kind: AccountMail["kind"];
  email: string;
  /** Where the mailed link should end. */
  redirectTo: string;
  /** Details of the event, each with its name. */
  facts?: AccountMail["facts"];
  requestedAt: Date;
}

/**
 * Queues the mail in the transaction of the request, for known and unknown addresses alike. Which mail is sent, and
 * whether any, is decided by the job: so a slow mail server delays no answer, and no answer reveals accounts.
 */
export async function queueAccountMail(db: ClientBase, { kind, email, redirectTo, facts, requestedAt }: QueuedMail) {
  const payload = { kind, email, redirect_to: redirectTo, facts, asked_at: requestedAt };
  await addJob(db, "account-mail", payload, { attempts: attemptsFor.oneDay });
}

/** Records the request in account and audit log, with the same statements for confirmed and unconfirmed accounts. */
export async function recordConfirmationRequest(db: ClientBase, user: User, requestedAt: Date) {
  await db.query(
    `update auth.users set confirmation_sent_at = $2, updated_at = $2 where id = $1 and email_confirmed_at is null`,
    [user.id, requestedAt],
  );
  const action = user.email_confirmed_at ? "user_repeated_signup" : "user_confirmation_requested";
  await writeAuditLog(db, { action, user, at: requestedAt });
}
