import { brand } from "#content/brand";
import { isLoopbackHost } from "#server/http/ip-address";
import { CapturedMailbox } from "./captured-mailbox.ts";
import type { Message } from "./mail-template.ts";
import { smtpTransport } from "./smtp.ts";

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password if the server wants them. */
  smtpUrl: string | undefined;
  /** Who the mails come from; undefined: the brand's own address. */
  mailFrom: string | undefined;
  siteUrl: string;
  log: { error(message: string): void };
  /** Shows a captured mail's link to who is developing. */
  print?: (line: string) => void;
}

export interface Mailer {
  /** Resolves once somebody else is responsible for the mail; rejects if nobody took it. `link` is where its button leads. */
  send(mail: Omit<Message, "from">, link: string): Promise<void>;
  /** Where mails end up that nobody sends, while developing. */
  mailbox: CapturedMailbox | undefined;
  close(): void;
}

/** Hands mails to the SMTP server; without one keeps them on a developer's machine, and elsewhere says that it cannot. */
export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, siteUrl, mailFrom = `${brand.name} <${brand.email}>` } = options;
  if (smtpUrl) {
    const smtp = smtpTransport(smtpUrl);
    return mailerOver((message) => smtp.send(message), { mailFrom, close: () => smtp.close() });
  }
  if (isLoopbackHost(new URL(siteUrl).hostname)) {
    const mailbox = new CapturedMailbox();
    return mailerOver(async (message) => mailbox.keep(message), {
      mailFrom,
      mailbox,
      print: options.print ?? onConsole,
    });
  }

  const complaint =
    "No mail can be sent: SMTP_URL is not set. Nobody can confirm an address, and no contact is announced.";
  options.log.error(complaint);
  return mailerOver(async () => Promise.reject(new Error(complaint)), { mailFrom });
}

function mailerOver(
  deliver: (message: Message) => Promise<void>,
  more: { mailFrom: string; mailbox?: CapturedMailbox; print?: (line: string) => void; close?: () => void },
): Mailer {
  return {
    async send(mail, link) {
      await deliver({ ...mail, from: more.mailFrom });
      more.print?.(`Mail to ${mail.to} (not sent, see /dev/mail): ${link}`);
    },
    mailbox: more.mailbox,
    close: more.close ?? (() => {}),
  };
}

function onConsole(line: string) {
  process.stdout.write(`${line}\n`);
}
