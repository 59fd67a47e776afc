import { Resolver } from "node:dns/promises";
import type { Pool } from "pg";
import type { Rows } from "#backend/database/rows";
import { isLoopbackHost } from "#backend/http/ip-address";
import { delayedJobs } from "#server/health/readiness";
import { brandMailbox } from "#server/mail/mail-template";
import { type SmtpOptions, smtpTransport } from "#server/mail/smtp";
import type { Settings } from "#server/settings";
import { broken, countOf, type Finding, listOf, look, ok, problemsOr } from "./finding.ts";

type MailSettings = Pick<Settings, "smtpUrl" | "smtpAllowPlain" | "mailFrom" | "notifyTo" | "webhook" | "siteUrl">;

/** Time limits in seconds, each for one step of a handshake with a mail server that does not answer. */
const smtpLimits = { connect: 5, silence: 5, attempt: 12 };

/** Asks the mail server for a handshake; sends no mail. */
export async function checkMail(settings: MailSettings): Promise<Finding[]> {
  const { smtpUrl, notifyTo, webhook } = settings;
  const told = [
    ...(notifyTo.length > 0 ? [`${countOf(notifyTo.length, "address", "addresses")} in NOTIFY_TO`] : []),
    ...(webhook ? ["the webhook"] : []),
  ];
  const announced =
    told.length > 0
      ? ok(`Each contact is announced to ${listOf(told)}.`)
      : look(
          "NOTIFY_TO is empty, so no one hears of a new contact.",
          "Set it to the addresses of those who answer, separated by commas.",
        );
  if (smtpUrl === undefined) {
    const todo = "Set it to smtps://user:password@host.";
    return [announced, broken("SMTP_URL is not set, so every email stays on this machine, in /dev/mail.", todo)];
  }
  const [server, sender] = await Promise.all([checkServer(smtpUrl, settings), checkSender(settings)]);
  return [announced, server, ...sender];
}

async function checkServer(smtpUrl: string, { smtpAllowPlain: allowPlain, siteUrl }: MailSettings): Promise<Finding> {
  const problem = await tryServer(smtpUrl, { allowPlain, siteUrl });
  if (problem) return broken(problem.message, "See “No mail arrives” in docs/operating.md. Emails wait in the queue.");
  const { host, hostname, protocol } = new URL(smtpUrl);
  if (isLoopbackHost(hostname)) return ok(`The mail server ${host} is ready.`);
  return protocol === "smtps:" || (await offersTls(smtpUrl, siteUrl))
    ? ok(`The mail server ${host} is ready, over TLS.`)
    : look(
        `The mail server ${host} offers no TLS, so emails can be read on the way.`,
        "Ask its provider for a port with TLS: smtps://…:465.",
      );
}

async function offersTls(smtpUrl: string, siteUrl: string): Promise<boolean> {
  const encrypted = new URL(smtpUrl);
  encrypted.searchParams.set("requireTLS", "true");
  const problem = await tryServer(encrypted.href, { siteUrl });
  return !problem?.message.includes("does not encrypt");
}

async function tryServer(smtpUrl: string, options: SmtpOptions): Promise<Error | undefined> {
  const smtp = smtpTransport(smtpUrl, { ...smtpLimits, ...options });
  const problem = await smtp.verify().catch((error: Error) => error);
  smtp.close();
  return problem ?? undefined;
}

const dnsSecondsMax = 2;

/** Whether receivers may believe that mails come from this domain. */
async function checkSender({ mailFrom, siteUrl }: MailSettings): Promise<Finding[]> {
  const { address } = mailFrom ?? brandMailbox();
  const [, domain] = /@([^@\s]+)$/.exec(address.toLowerCase()) ?? [];
  const name = mailFrom === undefined ? "The sender (MAIL_FROM is not set)" : "MAIL_FROM";
  if (!domain) return [broken(`${name} is not an email address: ${address}.`, "Write it as Name <hello@example.com>.")];
  if (/(^|\.)(example|invalid|localhost|test)$/.test(domain))
    return [
      broken(
        `${name} is at ${domain}, which is reserved: most receivers refuse it, and no answer arrives.`,
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

/** Messages that do not get out, of which the inbox tells the reasons, and a queue that has stopped. */
export async function checkDeliveries(owner: Pool): Promise<Finding[]> {
  const { rows: failures } = await owner.query<{ count: number; since: Date }>(
    `select count(*)::int, min(created_at) as since from private.jobs
     where last_error is not null or attempts >= attempts_max and coalesce(leased_until <= now(), true) having count(*) > 0`,
  );
  const { rows: delayed } = await owner.query<Pick<Rows["private.jobs"], "id" | "task" | "run_at">>(
    `select id, task, run_at ${delayedJobs} order by run_at limit 1`,
  );
  return problemsOr(ok("No message is failing."), [
    ...failures.map(({ count, since }) =>
      look(
        `${countOf(count, "message")} not getting out, the oldest since ${minuteOf(since)}.`,
        "After ten minutes the inbox shows the reasons, and tries all of them again.",
      ),
    ),
    ...delayed.map(({ id, task, run_at }) =>
      look(
        `The queue does not move: job ${id} (${task}) has been due since ${minuteOf(run_at)}.`,
        "Start the site if it does not run. Otherwise its log says which jobs fail; if it is silent, restart it.",
      ),
    ),
  ]);
}

function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
