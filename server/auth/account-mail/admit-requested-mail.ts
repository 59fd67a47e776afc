import type { ClientBase } from "pg";
import { inTransaction } from "#server/database/transaction";
import type { Attempt } from "#server/jobs/worker";
import { isAdmin } from "../admin-roles.ts";
import type { AuthContext } from "../auth-context.ts";
import { countMail, type DueMail, mailsOfEmailChange } from "../limits/mail-limits.ts";
import type { LimiterContext } from "../limits/rate-limiter.ts";
import { lockUserByEmail, type User } from "../users.ts";
import { isDue, type MailWithToken, type QueuedMail, queueAccountMail } from "./queue-account-mail.ts";

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
  made: MailWithToken,
  attempt: Pick<Attempt, "finish">,
): Promise<undefined> {
  await inTransaction(owner, async (db) => {
    const user = await lockUserByEmail(db, mail.email);
    const context = { limitsAreOn: true, accountMailsPerHour, now };
    const isAdmitted = user && isDue(user, made, mail.requestedAt) && (await countMails(context, db, user, made));
    // A mail to nobody costs the same work, except for sending it: otherwise the load of the server would reveal
    // accounts.
    await queueAccountMail(
      db,
      isAdmitted ? { ...mail, priority: priorities.admitted } : { ...mail, email: "", priority: priorities.refused },
    );
    await attempt.finish(db);
  });
}

async function countMails(context: LimiterContext, db: ClientBase, user: User, made: MailWithToken): Promise<boolean> {
  for (const each of await mailsOf(db, user, made)) {
    const excess = await countMail(context, db, each);
    if (excess?.name === "mails of the site")
      throw new Error("The site has sent as many emails as ACCOUNT_MAILS_PER_HOUR allows; this one is sent later.");
    if (excess) return false;
  }
  return true;
}

/** What the mail counts as. */
async function mailsOf(db: ClientBase, user: User, { purpose }: MailWithToken): Promise<DueMail[]> {
  if (purpose !== "recovery" && purpose !== "confirmation")
    return mailsOfEmailChange(db, user, user.email_change ?? "");

  // Anyone can create unconfirmed accounts, so mails to them do not count with the recovery of others. Nor with
  // sign-ups, whose 429 would reveal that such an account exists. An admin's count for nothing but the limit of the
  // address: other accounts must not lock the site's owner out.
  const siteKind = user.email_confirmed_at ? "recovery" : "unconfirmed";
  const counted = (await isAdmin(db, user)) ? undefined : siteKind;
  return [{ kind: purpose === "recovery" ? "recovery" : "sign-up", email: user.email, siteKind: counted }];
}
