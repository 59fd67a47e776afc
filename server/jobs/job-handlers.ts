import type { Pool } from "pg";
import { inTransaction } from "#server/database/transaction";
import { type AccountMail, writeAccountMail } from "#server/mail/account-mail";
import { findContact } from "#server/mail/contact";
import { inboxOf, writeContactMail } from "#server/mail/contact-mail";
import type { Mailer } from "#server/mail/mailer";
import type { Webhook } from "#server/webhook/webhook";
import { addJob, attemptsFor } from "./add-job.ts";
import type { JobHandler } from "./queue.ts";

export interface JobHandlerOptions {
  owner: Pool;
  mailer: Pick<Mailer, "send">;
  siteUrl: string;
  /** Who hears of a contact by mail. */
  notifyTo: readonly string[];
  /** The program that hears of a contact. */
  webhook: Webhook | undefined;
  /** Makes the mail that an account's owner ordered; undefined if there is nobody to send it to by now. */
  composeAccountMail(payload: unknown): Promise<AccountMail | undefined>;
}

/** One receiver after the other: while it hangs, contacts wait for it and mails do not. */
const webhookQueue = "webhook";

/** All that the queue can do, by the names of its jobs. */
export function createJobHandlers(parts: JobHandlerOptions): Record<string, JobHandler> {
  const { owner, mailer, siteUrl, notifyTo, webhook } = parts;
  return {
    /** A job for each who is told, so that one who cannot be reached is tried again alone. */
    async "announce-contact"(payload, attempt) {
      const { contact_id } = payload as { contact_id: string };
      const options = { attempts: attemptsFor.threeDays };
      await inTransaction(owner, async (db) => {
        for (const to of notifyTo) await addJob(db, "notify-owner", { contact_id, to }, options);
        if (webhook) await addJob(db, "call-webhook", { contact_id }, { ...options, queue: webhookQueue });
        // With the same commit, so that a second attempt never tells anybody twice.
        await attempt.finish(db);
      });
    },

    async "notify-owner"(payload) {
      const { contact_id, to } = payload as { contact_id: string; to: string };
      const contact = await findContact(owner, contact_id);
      if (contact) await mailer.send(writeContactMail(contact, { to, siteUrl }), inboxOf(siteUrl));
    },

    async "call-webhook"(payload) {
      const { contact_id } = payload as { contact_id: string };
      const contact = await findContact(owner, contact_id);
      if (contact) await webhook?.send({ id: contact.id, type: "contact.created", contact });
    },

    async "account-mail"(payload) {
      const mail = await parts.composeAccountMail(payload);
      if (!mail) return;
      await mailer.send(writeAccountMail(mail), mail.link).catch((error: Error) => {
        throw new Error(withoutSecrets(error.message, mail));
      });
    },
  };
}

/** A mail server may quote what it refuses. A link is as good as a password, and reasons are kept, logged and shown. */
function withoutSecrets(reason: string, { link, code }: AccountMail): string {
  // Its token as well, wherever in the address it stands: a line of the mail may be quoted in part.
  const tokens = link.split(/[?&#=]/).filter((part) => part.length > 20 && !part.includes("/"));
  const secrets = [link, ...tokens, ...(code ? [code] : [])];
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "(hidden)"), reason);
}
