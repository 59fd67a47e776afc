import type { SentMessageInfo } from "nodemailer/lib/smtp-pool";
import { brand } from "#content/brand";
import { StartError } from "#process/start-error";
import { html } from "#server/escape-html";
import { brandMailbox, type Message } from "#server/mail/mail-template";
import { smtpTransport } from "#server/mail/smtp";
import { isSingleRecipient } from "#validation/email-address";
import type { CommandInput } from "./command.ts";

/** Sends one real mail without the queue, so that the operator sees the answer of the mail server. */
export async function sendTest({ email: to, settings }: Pick<CommandInput, "email" | "settings">): Promise<string> {
  const { smtpUrl, smtpAllowPlain, mailFrom, siteUrl } = settings;
  if (!smtpUrl) {
    throw new StartError("SMTP_URL is not set, so no email can be sent: set it to smtps://user:password@host first.");
  }
  if (!isSingleRecipient(to)) throw new StartError(`${to} is not an email address.`);

  const smtp = smtpTransport(smtpUrl, { allowPlain: smtpAllowPlain, siteUrl });
  try {
    return report(smtpUrl, await smtp.send(testMail(to, mailFrom ?? brandMailbox(), siteUrl)));
  } catch (error) {
    throw new StartError((error as Error).message);
  } finally {
    smtp.close();
  }
}

function testMail(to: string, from: Message["from"], siteUrl: string): Message {
  const sentence = `This is a test email, requested at the terminal of ${siteUrl}. If you can read it, emails from there reach you.`;
  return {
    to,
    from,
    subject: `Test email from ${brand.name}`,
    text: sentence,
    html: html`<p>${sentence}</p>`.toString(),
  };
}

function report(smtpUrl: string, { response, messageId, accepted, rejected }: SentMessageInfo): string {
  return [
    `The mail server ${new URL(smtpUrl).host} accepted the email. If it does not arrive, look in the spam folder, then ask the people who run that server about the message id.`,
    `  answer      ${response}`,
    `  message id  ${messageId}`,
    `  accepted    ${accepted.join(", ")}`,
    ...(rejected.length > 0 ? [`  rejected    ${rejected.join(", ")}`] : []),
  ].join("\n");
}
