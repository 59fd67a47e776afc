import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import {
  type ContactsFilter,
  type Cursor,
  countContacts,
  readContacts,
  type StoredContact,
} from "../../supabase/read-contacts";
import type { Failure } from "../../supabase/result";
import { labelOfInterest } from "./contact-text";
import { byteOrderMark, csvRows } from "./csv";
import { localDate, type View } from "./view";

/** As many rows as the server gives at once. A hosted project may give fewer. */
const contactsPerRequest = 1_000;

export interface ContactsFile {
  file: Blob;
  contacts: number;
  /** How many contacts matched before the first and after the last page; undefined where the backend cannot count. */
  before: number | undefined;
  after: number | undefined;
}

/**
 * Writes all contacts of a filter to a CSV file, newest first, in pages after the last contact of the page before. So
 * contacts that come or go meanwhile neither move nor repeat the others. Each page becomes a part of the file that the
 * browser keeps outside of the memory of this page. Returns undefined after an abort of `signal`.
 */
export async function writeContacts(
  filter: ContactsFilter,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (read: number, total: number | undefined) => void },
): Promise<ContactsFile | Failure | undefined> {
  const before = await countContacts(filter, { exact: true });
  if (!before.ok) return before;
  const parts = [new Blob([byteOrderMark, csvRows([header()])])];
  let contacts = 0;
  for (let cursor: Cursor | undefined; !signal.aborted; ) {
    onProgress(contacts, before.value?.contacts);
    const page = await readContacts(filter, { cursor, length: contactsPerRequest });
    if (!page.ok) return page;
    const last = page.value.at(-1);
    if (!last) {
      const after = await countContacts(filter, { exact: true });
      if (!after.ok) return after;
      const file = new Blob(parts, { type: "text/csv;charset=utf-8" });
      return { file, contacts, before: before.value?.contacts, after: after.value?.contacts };
    }
    parts.push(new Blob([csvRows(page.value.map(cellsOf))]));
    contacts += page.value.length;
    cursor = { at: last.submitted_at, id: last.id };
  }
  return undefined;
}

/** The date, and what the view has. A term of a search is left out: it can be a person's name. */
export function filename({ state, interest, from, until, search }: View): string {
  const parts = [state, interest, from && `from-${from}`, until && `until-${until}`, search && "search"];
  const today = localDate(new Date().toISOString());
  return `${[exportWords.filename, today, ...parts].filter(Boolean).join("-")}.csv`;
}

const { columns } = exportWords;

function header(): string[] {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { sent, sentLocally, name, company, email, interest, state, stateSince, note, spamReason, id } = columns;
  return [sent, sentLocally(timeZone), name, company, email, interest, state, stateSince, note, spamReason, id];
}

function cellsOf(contact: StoredContact): string[] {
  const { name, company, email, interest, state, note, spam_reason: spamReason, id } = contact;
  return [
    new Date(contact.submitted_at).toISOString(),
    localTime(new Date(contact.submitted_at)),
    name,
    company,
    email,
    labelOfInterest(interest),
    inboxWords.states[state],
    new Date(contact.state_changed_at).toISOString(),
    note,
    spamReason ?? "",
    id,
  ];
}

/** A form of the local time that spreadsheet programs of all languages read as a time. */
function localTime(time: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(":");
  return `${localDate(time.toISOString())} ${clock}`;
}
