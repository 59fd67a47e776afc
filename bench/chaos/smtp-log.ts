import { readFile } from "node:fs/promises";

/** One line of what the SMTP server wrote down. */
export interface SmtpEvent {
  event: string;
  /** In milliseconds since 1970. */
  at: number;
  /** Of a mail that was taken in full, and of the answer to it. */
  arrival?: string;
  /** Whom the envelope names, whatever the mail says. */
  recipients?: string[];
  raw?: string;
}

/** One mail that was taken in full. */
export interface Arrival {
  at: number;
  /** Whether 250 was said, so that its sender could know. */
  answered: boolean;
  /** Of the contact that it tells of, or empty. */
  contactId: string;
  recipients: readonly string[];
  raw: string;
}

export async function readEvents(file: string): Promise<SmtpEvent[]> {
  // It is made with the first event, and a short run may have none.
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The mails of the log, the oldest first. */
export function arrivalsIn(events: readonly SmtpEvent[]): Arrival[] {
  const answered = new Set(events.filter(({ event }) => event === "answers").map(({ arrival }) => arrival));
  return events
    .filter(({ event }) => event === "takes the mail")
    .map(({ at, arrival, recipients = [], raw = "" }) => {
      return { at, answered: answered.has(arrival), contactId: contactIdIn(raw), recipients, raw };
    });
}

/** Each notification carries the contact's own id in its Message-ID. */
function contactIdIn(raw: string): string {
  return /^Message-ID:\s*<contact\.([0-9a-f-]{36})\./im.exec(raw)?.[1] ?? "";
}
