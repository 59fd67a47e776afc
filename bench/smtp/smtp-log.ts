import { readFile } from "node:fs/promises";

/** One line of the SMTP server's log. */
export interface SmtpEvent {
  event: string;
  /** In milliseconds since 1970. */
  at: number;
  /** Identifies a received mail and the reply to it. */
  mailId?: string;
  /** The recipients in the envelope, which may differ from those in the mail. */
  recipients?: string[];
  raw?: string;
}

export interface DeliveredMail {
  at: number;
  /** Whether the SMTP server replied 250, so that the sender could know that the mail was delivered. */
  isConfirmed: boolean;
  /** The id of the contact that the mail announces; an empty string if it announces none. */
  contactId: string;
  recipients: readonly string[];
  raw: string;
}

export async function readEvents(file: string): Promise<SmtpEvent[]> {
  // The SMTP server creates the file with its first event, and a short run may have none.
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The mails that were received completely, oldest first. */
export function deliveredMails(events: readonly SmtpEvent[]): DeliveredMail[] {
  const confirmed = new Set(events.filter(({ event }) => event === "confirms").map(({ mailId }) => mailId));
  return events
    .filter(({ event }) => event === "receives the mail")
    .map(({ at, mailId, recipients = [], raw = "" }) => {
      return { at, isConfirmed: confirmed.has(mailId), contactId: contactIdIn(raw), recipients, raw };
    });
}

/** Each notification carries the id of its contact in the Message-ID. */
function contactIdIn(raw: string): string {
  return /^Message-ID:\s*<contact\.([0-9a-f-]{36})\./im.exec(raw)?.[1] ?? "";
}
