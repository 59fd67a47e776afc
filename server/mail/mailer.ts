import { isLoopbackHost } from "#backend/http/ip-address";
import { print } from "#process/print";
import { CapturedMailbox, mailboxKeyFile } from "./dev-mailbox.ts";
import { brandMailbox, type Mailbox, type Message } from "./mail-template.ts";

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password if the server wants them. */
  smtpUrl: string | undefined;
  smtpAllowPlain?: boolean;
  /** The sender of all mails; undefined: the brand's own address. */
  mailFrom: Mailbox | undefined;
  siteUrl: string;
  log: { error(message: string): void };
  /** Prints one line for each captured mail. */
  print?: (line: string) => void;
  /** Whether these lines are for a person at a terminal. They then contain the link of the mail. */
  isTerminal?: boolean;
}

export interface Mailer {
  /**
   * Resolves once a mail server has accepted the mail or the mailbox has stored it. `link` is the URL that the button
   * opens.
   */
  send(mail: Omit<Message, "from">, link: string): Promise<void>;
  /** Stores the mails on a developer's machine without an SMTP server. */
  mailbox: CapturedMailbox | undefined;
  close(): Promise<void>;
}

/**
 * Printed where the output may end in a log that others read: the link is as good as a password, and the address is
 * personal.
 */
const unsent = `An email was not sent. It is at /dev/mail, which opens with the key in DATA_DIR/${mailboxKeyFile}.`;

/**
 * Sends mails by SMTP. If there is no SMTP server, it captures the mails on a developer's machine and rejects them
 * elsewhere.
 */
export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, smtpAllowPlain = false, siteUrl, mailFrom: from = brandMailbox() } = options;
  if (smtpUrl) {
    // Loaded only where mails are sent: the library takes 5 MB of heap.
    const smtp = import("./smtp.ts").then(({ smtpTransport }) =>
      smtpTransport(smtpUrl, { allowPlain: smtpAllowPlain, siteUrl }),
    );
    // Each mail reports it. Until then, it must not end the process as unhandled.
    smtp.catch(() => {});
    return {
      async send(mail) {
        await (await smtp).send({ ...mail, from });
      },
      mailbox: undefined,
      close: async () => (await smtp).close(),
    };
  }

  if (isLoopbackHost(new URL(siteUrl).hostname)) {
    const mailbox = new CapturedMailbox();
    const { print: printLine = print, isTerminal = process.stdout.isTTY } = options;
    return {
      async send(mail, link) {
        mailbox.add({ ...mail, from });
        printLine(isTerminal ? `Email to ${mail.to} (not sent, see /dev/mail): ${link}` : unsent);
      },
      mailbox,
      async close() {},
    };
  }

  const reason = "No email can be sent: SMTP_URL is not set. Addresses stay unconfirmed, and contacts unannounced.";
  options.log.error(reason);
  return { send: async () => Promise.reject(new Error(reason)), mailbox: undefined, async close() {} };
}
