import { Resolver } from "node:dns/promises";
import type { Pool } from "pg";
import { isLoopbackHost } from "#backend/http/ip-address";
import { countFailingJobs } from "#server/jobs/queue";
import { brandMailbox } from "#server/mail/mail-template";
import { smtpTransport } from "#server/mail/smtp";
import type { Settings } from "#server/settings";
import { broken, countOf, type Finding, listOf, look, ok, problemsOr } from "./finding.ts";

type MailSettings = Pick<Settings, "smtpUrl" | "smtpAllowPlain" | "mailFrom" | "notifyTo" | "webhook" | "siteUrl">;

/** Who hears of a contact, and whether mails get out. Sends none. */
export async function checkMail(settings: MailSettings): Promise<Finding[]> {
  const [server, sender] = await Promise.all([checkServer(settings), checkSender(settings)]);
  return [checkRecipients(settings), server, ...sender];
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
      isLoopbackHost(new URL(siteUrl).hostname)
        ? "SMTP_URL is not set, so every email stays on this machine, in /dev/mail."
        : "SMTP_URL is not set, so no email is sent: addresses stay unconfirmed, and contacts unannounced.",
      "Set it to smtps://user:password@host.",
    );
  const smtp = smtpTransport(smtpUrl, { ...smtpLimits, allowPlain, siteUrl });
  const problem = await smtp.verify().catch((error: Error) => error);
  smtp.close();
  return problem
    ? broken(problem.message, "See “No mail arrives” in docs/operating.md. Emails wait in the queue.")
    : ok(`The mail server ${new URL(smtpUrl).host} is ready.`);
}

const dnsSecondsMax = 2;

/** Whether receivers may believe that mails come from this domain. They refuse one that is reserved (RFC 6761). */
async function checkSender({ smtpUrl, mailFrom, siteUrl }: MailSettings): Promise<Finding[]> {
  if (smtpUrl === undefined) return [];
  const { address } = mailFrom ?? brandMailbox();
  const name = mailFrom === undefined ? "The sender (MAIL_FROM is not set)" : "MAIL_FROM";
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  if (/(^|\.)(example|invalid|localhost|test)$/.test(domain))
    return [
      broken(
        `${name} is ${address}, at a reserved domain: most receivers refuse it, and no answer arrives.`,
        "Set it to an address of your own domain.",
      ),
    ];

  const site = new URL(siteUrl).hostname;
  const isOurs = site === domain || site.endsWith(`.${domain}`) || domain.endsWith(`.${site.replace(/^www\./, "")}`);
  const dns = new Resolver({ timeout: dnsSecondsMax * 1000, tries: 1 });
  const [mx, txt] = await Promise.all([answerOf(dns.resolveMx(domain)), answerOf(dns.resolveTxt(domain))]);
  return problemsOr(ok(`Emails come from ${domain}${mx ? "" : " (its DNS was not reached)"}.`), [
    mx?.length === 0 &&
      look(
        `The sender's domain ${domain} has no MX record, so answers may not arrive.`,
        "Use an address that can be answered.",
      ),
    txt?.every((parts) => !parts.join("").startsWith("v=spf1")) &&
      look(
        `The sender's domain ${domain} has no SPF record, so emails may count as spam.`,
        "Add the record that the provider of the mail server names.",
      ),
    !isOurs &&
      look(
        `${name} is at ${domain}, and the site at ${site}.`,
        `That is fine if both are yours and the mail server may send for ${domain}.`,
      ),
  ]);
}

/** The records, or undefined if DNS does not answer. */
function answerOf<T>(lookUp: Promise<T[]>): Promise<T[] | undefined> {
  return lookUp.catch(({ code }) => (code === "ENODATA" || code === "ENOTFOUND" ? [] : undefined));
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
