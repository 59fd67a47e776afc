import { createTransport } from "nodemailer";
import type { Message } from "./account-mail.ts";

/** A person waits for the answer while the mail is handed over, and PostgreSQL holds a transaction open. */
const patienceMilliseconds = 10_000;

/** An SMTP server by its address. Connections are kept and shared. */
export function smtpTransport(url: string) {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: patienceMilliseconds,
    greetingTimeout: patienceMilliseconds,
    socketTimeout: patienceMilliseconds,
    // A mail is made of our own words only: nothing may be read from a file or an address into it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(message: Message): Promise<void> {
      // Holiday notices and the like must not answer a machine (RFC 3834).
      await transport.sendMail({ ...message, headers: { "Auto-Submitted": "auto-generated" } });
    },
    close: () => transport.close(),
  };
}
