import type { ClientBase } from "pg";
import { inTransaction } from "#server/database/transaction";
import type { Attempt } from "#server/jobs/worker";
import { isAdmin } from "../admin-roles.ts";
import type { AuthContext } from "../auth-context.ts";
import { countMail, type DueMail, mailsOfEmailChange } from "../limits/mail-limits.ts";
import type { LimiterContext } from "../limits/rate-limiter.ts";
import { lockUserByEmail, type User } from "../users.ts";
import { type QueuedMail, queueAccountMail } from "./queue-account-mail.ts";

/** Admitted mails overtake the requests that still wait for their decision, so a flood of requests delays no mail. */
const priorities = { admitted: -1, refused: 1 };

/**
 * Applies the limits of mails to a mail of /recover or /resend (docs/protocol.md#mail-limits). The request itself must
 * not apply them: they count only mails that are sent, so a refusal would reveal whether the address has an account. An
 * admitted mail is queued again without limits, and one commit removes this job. So the attempts to send it count once.
 */
export async function admitRequestedMail(
  { owner, now, accountMailsPerHour }: Pick<AuthContext, "owner" | "now" | "accountMailsPerHour">,
  mail: QueuedMail,
  attempt: Pick<Attempt, "finish">,
): Promise<undefined> {
  await inTransaction(owner, async (db) => {
    const user = await lockUserByEmail(db, mail.email);
    const isAdmitted = user && (await countDueMails({ limitsAreOn: true, accountMailsPerHour, now }, db, user, mail));
    // A mail to nobody costs the same work, except for sending it: otherwise the load of the server would reveal
    // accounts.
    await queueAccountMail(
      db,
      isAdmitted ? { ...mail, priority: priorities.admitted } : { ...mail, email: "", priority: priorities.refused },
    );
    await attempt.finish(db);
  });
}

async function countDueMails(context: LimiterContext, db: ClientBase, user: User, mail: QueuedMail): Promise<boolean> {
  const due = mail.kind === "change-email" ? await findDueChange(db, user, mail) : await findDueMail(db, user, mail);
  for (const each of due) {
    const excess = await countMail(context, db, each);
    if (excess?.name === "mails of the site")
      throw new Error("The site has sent as many emails as ACCOUNT_MAILS_PER_HOUR allows; this one is sent later.");
    if (excess) return false;
  }
  return due.length > 0;
}

async function findDueChange(db: ClientBase, user: User, { requestedAt }: QueuedMail): Promise<DueMail[]> {
  const { email_change: newEmail, email_change_sent_at: sentAt } = user;
  return newEmail === null || (sentAt && sentAt > requestedAt) ? [] : mailsOfEmailChange(db, user, newEmail);
}

/** What the mail counts as; empty if the account needs no such mail, or if a later request has caused one. */
async function findDueMail(db: ClientBase, user: User, { kind, requestedAt }: QueuedMail): Promise<DueMail[]> {
  const isRecovery = kind === "recover";
  const sentAt = isRecovery ? user.recovery_sent_at : user.confirmation_sent_at;
  const isConfirmed = user.email_confirmed_at !== null;
  if ((isConfirmed && !isRecovery) || (sentAt && sentAt > requestedAt)) return [];

  // Anyone can create unconfirmed accounts, so mails to them do not count with the recovery of others. Nor with
  // sign-ups, whose 429 would reveal that such an account exists. An admin's count for nothing but the limit of the
  // address: other accounts must not lock the site's owner out.
  const siteKind = isRecovery && isConfirmed ? "recovery" : "unconfirmed";
  const counted = (await isAdmin(db, user)) ? undefined : siteKind;
  return [{ kind: isRecovery ? "recovery" : "sign-up", email: user.email, siteKind: counted }];
}
