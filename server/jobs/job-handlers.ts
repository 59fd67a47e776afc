import { type AccountMail, writeAccountMail } from "#server/mail/write-account-mail";
import { type ContactAnnouncementOptions, contactAnnouncements } from "./contact-announcements.ts";
import type { Attempt, JobHandler } from "./worker.ts";

export interface JobHandlerOptions extends ContactAnnouncementOptions {
  /**
   * Writes the mail that a job of `account-mail` describes; undefined if this job sends none, for example because the
   * account no longer exists.
   */
  composeAccountMail(payload: unknown, attempt: Attempt): Promise<AccountMail | undefined>;
}

/** The handlers of all jobs, by the names of the jobs. */
export function createJobHandlers(options: JobHandlerOptions): Record<string, JobHandler> {
  const { mailer } = options;
  return {
    ...contactAnnouncements(options),

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
