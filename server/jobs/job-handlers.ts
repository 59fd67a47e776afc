import type { Pool } from "pg";
import { inTransaction } from "#server/database/transaction";
import { type AccountMail, writeAccountMail } from "#server/mail/account-mail";
import { findContact, inboxUrl, writeContactMail } from "#server/mail/contact-mail";
import type { Mailer } from "#server/mail/mailer";
import type { Webhook } from "#server/webhook/webhook";
import { addJob, attemptsFor } from "./queue.ts";
import type { Attempt, JobHandler } from "./worker.ts";

export interface JobHandlerOptions {
  owner: Pool;
  mailer: Pick<Mailer, "send">;
  siteUrl: string;
  /** The email addresses that get a mail about each new contact. */
  notifyTo: readonly string[];
  /** The webhook that is called for each new contact. */
  webhook: Webhook | undefined;
  /**
   * Writes the mail that a job of `account-mail` describes; undefined if this job sends none, for example because the
   * account no longer exists.
   */
  composeAccountMail(payload: unknown, attempt: Attempt): Promise<AccountMail | undefined>;
}

/**
 * The webhook's jobs run one after the other in a queue of their own, so a receiver that hangs delays other calls but
 * no mail.
 */
const webhookQueue = "webhook";

/** The handlers of all jobs, by the names of the jobs. */
export function createJobHandlers(options: JobHandlerOptions): Record<string, JobHandler> {
  const { owner, mailer, siteUrl, notifyTo, webhook } = options;
  return {
    /** Adds one job for each recipient, so that a failed mail is repeated only to the recipient that did not get it. */
    async "announce-contact"(payload, attempt) {
      const { contact_id } = payload as { contact_id: string };
      const jobOptions = { attempts: attemptsFor.threeDays };
      await inTransaction(owner, async (db) => {
        for (const to of notifyTo) await addJob(db, "notify-owner", { contact_id, to }, jobOptions);
        if (webhook) await addJob(db, "call-webhook", { contact_id }, { ...jobOptions, queue: webhookQueue });
        // The same commit removes this job. Otherwise a second attempt could add the jobs again.
        await attempt.finish(db);
      });
    },

    async "notify-owner"(payload) {
      const { contact_id, to } = payload as { contact_id: string; to: string };
      const contact = await findContact(owner, contact_id);
      if (contact) await mailer.send(writeContactMail(contact, { to, siteUrl }), inboxUrl(siteUrl));
    },

    async "call-webhook"(payload) {
      const { contact_id } = payload as { contact_id: string };
      const contact = await findContact(owner, contact_id);
      if (contact) await webhook?.send({ id: contact.id, type: "contact.created", contact });
    },

    async "account-mail"(payload, attempt) {
      const mail = await options.composeAccountMail(payload, attempt);
      if (!mail) return;
      await mailer.send(writeAccountMail(mail), mail.link).catch((error: Error) => {
        throw new Error(withoutSecrets(error.message, mail));
      });
    },
  };
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
