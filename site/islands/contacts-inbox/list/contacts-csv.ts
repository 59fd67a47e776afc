import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import {
  type ContactsFilter,
  type Cursor,
  countContacts,
  readContacts,
  type StoredContact,
} from "../../../supabase/read-contacts";
import type { Failure } from "../../../supabase/result";
import { formatTime, labelOfInterest } from "../data/contact-text";
import type { Team } from "../data/team";
import { type InboxView, localDate } from "../find/inbox-view";

/** As many rows as the server gives at once. A hosted project may give fewer. */
const contactsPerRequest = 1_000;

interface ContactsFile {
  file: Blob;
  contacts: number;
  /** How many contacts matched before the first and after the last page. */
  before: number;
  after: number;
}

export interface ExportOptions extends Pick<Team, "addressOf"> {
  signal: AbortSignal;
  onProgress: (read: number, total: number) => void;
}

/**
 * Writes all contacts of a filter to a CSV file, newest first, in pages after the last contact of the page before. So
 * contacts that come or go meanwhile neither move nor repeat the others. Each page becomes a part of the file that the
 * browser keeps outside of the memory of this page. Returns undefined after an abort of `signal`.
 */
export async function writeContacts(
  filter: ContactsFilter,
  { addressOf, signal, onProgress }: ExportOptions,
): Promise<ContactsFile | Failure | undefined> {
  const before = await countContacts(filter);
  if (!before.ok) return before;
  const parts = [new Blob([byteOrderMark, csvRows([header()])])];
  let contacts = 0;
  for (let cursor: Cursor | undefined; !signal.aborted; ) {
    onProgress(contacts, before.value);
    const page = await readContacts(filter, contactsPerRequest, { cursor });
    if (!page.ok) return page;
    const last = page.value.at(-1);
    if (!last) {
      const after = await countContacts(filter);
      if (!after.ok) return after;
      if (signal.aborted) break;
      const file = new Blob(parts, { type: "text/csv;charset=utf-8" });
      return { file, contacts, before: before.value, after: after.value };
    }
    parts.push(new Blob([csvRows(page.value.map((contact) => cellsOf(contact, addressOf(contact.handled_by))))]));
    contacts += page.value.length;
    cursor = { at: last.submitted_at, id: last.id };
  }
  return undefined;
}

/** The date, and what the view has. A term of a search is left out: it can be a person's name. */
export function filename({ state, interest, from, until, handler, search }: InboxView): string {
  const person = handler && /^(me|nobody)$/.test(handler) ? handler : handler && "assigned";
  const parts = [state, interest, person, from && `from-${from}`, until && `until-${until}`, search && "search"];
  const today = localDate(new Date().toISOString());
  return `${[exportWords.filename, today, ...parts].filter(Boolean).join("-")}.csv`;
}

function header(): string[] {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return Object.values(exportWords.columns).map((column) => (typeof column === "string" ? column : column(timeZone)));
}

type Column = keyof typeof exportWords.columns;

export function cellsOf(contact: StoredContact, handler = ""): string[] {
  const { name, company, email, interest, state, note, spam_reason: spamReason, id } = contact;
  const cells: Record<Column, string> = {
    sent: inUtc(contact.submitted_at),
    sentLocally: formatTime(contact.submitted_at, spreadsheetTime),
    name,
    company,
    email,
    interest: labelOfInterest(interest),
    state: inboxWords.states[state],
    stateSince: inUtc(contact.state_changed_at),
    handler,
    note,
    referrer: contact.referrer,
    campaign: contact.campaign,
    firstPage: contact.first_page,
    spamReason: spamReason ?? "",
    id,
  };
  return (Object.keys(exportWords.columns) as Column[]).map((column) => cells[column]);
}

/** `toJSON` is null for a time that JavaScript does not have. */
const inUtc = (time: string) => new Date(time).toJSON() ?? time;

/** Swedish dates, such as "2026-01-31 09:30:00", are read as times by spreadsheet programs of all languages. */
const spreadsheetTime = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });

/**
 * Text of a CSV file (RFC 4180). Spreadsheet programs take some cells for formulas, and visitors write most of the cells, so
 * a formula could send the file's contents away or start a program (docs/specification.md#download-of-contacts).
 */
export function csvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => quote(harmless(cell))).join(",")}\r\n`).join("");
}

/** Without this mark, Excel does not read the file as UTF-8. */
const byteOrderMark = "\uFEFF";

/**
 * A program that reads semicolons or tabs as separators begins a cell after each of them, and a line after each line
 * break, also inside quotes that do not begin its cell. White space, control and format characters may stand before the
 * sign, because programs skip some of them. The second pattern is for control characters of their own.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠])/gu;
const controlStart = /^(?=\p{Cc})/u;

/** An apostrophe makes a program take the rest of the cell for text, and leaves it readable. */
export function harmless(cell: string): string {
  const text = cell.replace(formulaStart, "'");
  return text.startsWith("'") ? text : text.replace(controlStart, "'");
}

function quote(cell: string): string {
  return /[",;\p{Cc}]|^\s|\s$/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
