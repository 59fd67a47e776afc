import type { ClientBase } from "pg";
import { z } from "zod";
import { admitRequestedMail } from "#backend/auth/account-mail/mail-limits";
import {
  mailsWithToken,
  notices,
  type QueuedMail,
  type QueueMail,
  type RequestedMail,
} from "#backend/auth/account-mail/queued-mail";
import type { AuthContext } from "#backend/auth/auth-context";
import { inTransaction } from "#backend/database/transaction";
import { type AccountMail, type RenderContext, renderAccountMail } from "#server/mail/render-account-mail";
import { addJob, attemptsFor } from "./queue.ts";
import type { Attempt, JobHandler } from "./worker.ts";

const task = "account-mail";

const kinds = [...(Object.keys(mailsWithToken) as (keyof typeof mailsWithToken)[]), ...notices];

const payloadSchema = z.object({
  kind: z.enum(kinds),
  email: z.string(),
  redirectTo: z.string().optional(),
  facts: z.array(z.tuple([z.string(), z.string()])).optional(),
  requestedAt: z.coerce.date(),
  isLimited: z.boolean().optional(),
});

/** Queues a mail that the auth API or a command requests. */
export const queueAccountMail: QueueMail = (db, mail) => addMail(db, mail, 0);

/** The handler of account mails. `send` gives a rendered mail to the mail server. */
export function accountMails(
  context: RenderContext & Pick<AuthContext, "accountMailsPerHour">,
  send: (mail: AccountMail) => Promise<void>,
) {
  return {
    async [task](payload, attempt) {
      const { isLimited, ...mail } = payloadSchema.parse(payload);
      if (isLimited) return admit(mail, attempt);
      const rendered = await renderAccountMail(context, mail);
      if (!rendered) return;
      await send(rendered).catch((error: Error) => {
        throw new Error(withoutSecrets(error.message, rendered));
      });
    },
  } satisfies Record<string, JobHandler>;

  /**
   * Replaces the job of a requested mail by that of an admitted one, in one commit, so the mail counts once. For an
   * address without an account everything is done but the sending: otherwise the server's load would reveal accounts.
   * Admitted mails overtake undecided requests, so a flood of requests delays no mail.
   */
  async function admit(mail: RequestedMail, attempt: Attempt) {
    await inTransaction(context.owner, async (db) => {
      const isAdmitted = await admitRequestedMail(context, db, mail);
      await addMail(db, isAdmitted ? mail : { ...mail, email: "" }, isAdmitted ? -1 : 1);
      await attempt.finish(db);
    });
  }
}

async function addMail(db: ClientBase, mail: QueuedMail | RequestedMail, priority: number) {
  // Compared with the times of the account, which are PostgreSQL's.
  const { rows } = await db.query<{ now: Date }>("select now()");
  await addJob(db, task, { requestedAt: rows[0]?.now, ...mail }, { attempts: attemptsFor.oneDay, priority });
}

/**
 * Hides the mail's link and code in the reason of a failure. A mail server may quote them when it refuses a mail, and
 * reasons are stored, logged and shown. The link is as good as a password.
 */
function withoutSecrets(reason: string, { link, code }: AccountMail): string {
  // The token in the link is also hidden alone, because the server may quote only a part of the link.
  const tokens = link.split(/[?&#=]/).filter((part) => part.length > 20 && !part.includes("/"));
  const secrets = [link, ...tokens, ...(code ? [code] : [])];
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "(hidden)"), reason);
}
