import { inboxWords } from "./inbox.ts";

const contacts = (count: number) => `${inboxWords.number(count)} ${count === 1 ? "contact" : "contacts"}`;

/** Texts of the download of contacts as a file. */
export const exportWords = {
  download: "Download CSV",
  cancel: "Cancel",
  progress: "Download",
  progressOf: (read: number, total: number | undefined) =>
    total === undefined ? inboxWords.number(read) : `${inboxWords.number(read)} of ${inboxWords.number(total)}`,
  saved: (count: number) => `${contacts(count)} saved.`,
  /** `now` is the number of contacts that match when the file is complete. */
  changed: (before: number, now: number) =>
    `The list changed during the download: ${contacts(before)} before, ${inboxWords.number(now)} now.`,
  cancelled: "The download was cancelled, and nothing was saved.",
  failed: "The download stopped, and nothing was saved. Please try again.",
  filename: "contacts",
  /** In the order of the file. */
  columns: {
    sent: "Sent (UTC)",
    sentLocally: (timeZone: string) => `Sent (${timeZone})`,
    name: "Name",
    company: "Company",
    email: "Email",
    interest: "Interest",
    state: "Status",
    stateSince: "Status since (UTC)",
    handler: "Assigned to",
    note: "Note",
    referrer: "Came from",
    campaign: "Campaign",
    firstPage: "Page before the form",
    spamReason: "Why marked as spam",
    id: "ID",
  },
} as const;
