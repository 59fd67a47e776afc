import type { Pool } from "pg";
import { countFailingJobs } from "#server/jobs/queue";
import { brandMailbox } from "#server/mail/mail-template";
import { smtpTransport } from "#server/mail/smtp";
import type { Settings } from "#server/settings";
import { broken, countOf, type Finding, listOf, look, ok } from "./finding.ts";

type MailSettings = Pick<Settings, "smtpUrl" | "smtpAllowPlain" | "mailFrom" | "notifyTo" | "webhook" | "siteUrl">;

/** Who hears of a contact, and whether mails get out. Sends none. */
export async function checkMail(settings: MailSettings): Promise<Finding[]> {
  return [checkRecipients(settings), await checkServer(settings), ...checkSender(settings)];
}

function checkRecipients({ notifyTo, webhook }: MailSettings): Finding {
  const told = [
    ...(notifyTo.length > 0 ? [`${countOf(notifyTo.length, "address", "addresses")} in NOTIFY_TO`] : []),
    ...(webhook ? ["the webhook"] : []),
  ];
  return told.length > 0
    ? ok(`Each contact is announced to ${listOf(told)}.`)
    : look(
        "NOTIFY_TO is empty, so no one hears of a new contact.",
        "Set it to the addresses of those who answer, separated by commas.",
      );
}

/** Time limits in seconds, each for one step of a handshake with a mail server that does not answer. */
const smtpLimits = { connect: 5, silence: 5, attempt: 12 };

async function checkServer({ smtpUrl, smtpAllowPlain: allowPlain, siteUrl }: MailSettings): Promise<Finding> {
  if (smtpUrl === undefined)
    return broken(
      "SMTP_URL is not set, so every email stays on this machine, in /dev/mail.",
      "Set it to smtps://user:password@host.",
    );
  const smtp = smtpTransport(smtpUrl, { ...smtpLimits, allowPlain, siteUrl });
  const problem = await smtp.verify().catch((error: Error) => error);
  smtp.close();
  return problem
    ? broken(problem.message, "See “No mail arrives” in docs/operating.md. Emails wait in the queue.")
    : ok(`The mail server ${new URL(smtpUrl).host} is ready.`);
}

/** Receivers refuse mails from a domain that is reserved (RFC 6761). */
function checkSender({ smtpUrl, mailFrom }: MailSettings): Finding[] {
  const { address } = mailFrom ?? brandMailbox();
  if (smtpUrl === undefined || !/[@.](example|invalid|localhost|test)$/i.test(address)) return [];
  const name = mailFrom === undefined ? "The sender (MAIL_FROM is not set)" : "MAIL_FROM";
  return [
    broken(
      `${name} is ${address}, at a reserved domain: most receivers refuse it, and no answer arrives.`,
      "Set it to an address of your own domain.",
    ),
  ];
}

/** Messages that do not get out. The inbox tells the reason of each. */
export async function checkDeliveries(owner: Pool): Promise<Finding[]> {
  const count = await countFailingJobs(owner);
  return [
    count === 0
      ? ok("No message is failing.")
      : look(
          `${countOf(count, "message")} not getting out.`,
          "After ten minutes the inbox shows the reasons, and tries all of them again.",
        ),
  ];
}
