import { unwrap } from "../../../supabase/load-error";
import {
  type ContactsFilter,
  type Cursor,
  type InboxNews,
  type Place,
  readContacts,
  readNews,
  type StoredContact,
} from "../../../supabase/read-contacts";

export const contactsPerPage = 50;

/** Contacts of the list, newest first. The cursors stay true if contacts are taken out of the page later. */
export interface ContactsPage {
  contacts: StoredContact[];
  /** The time of the first contact when the page was first read. */
  begin: string | undefined;
  /** Undefined where the list ends. */
  newer: Cursor | undefined;
  older: Cursor | undefined;
}

/** The id before all others: a list that begins at a time has all contacts of that time. */
const firstId = "00000000-0000-0000-0000-000000000000";

export function placeOf(start: string | undefined): Place {
  return start ? { cursor: { at: start, id: firstId } } : {};
}

export async function loadPage(filter: ContactsFilter, place: Place): Promise<ContactsPage> {
  const contacts = unwrap(await readContacts(filter, contactsPerPage, place));
  const isFull = contacts.length === contactsPerPage;
  const begin = contacts[0]?.submitted_at;
  const first = toCursor(contacts[0]) ?? place.cursor;
  const last = toCursor(contacts.at(-1)) ?? place.cursor;
  if (place.newer) return { contacts, begin, newer: isFull ? first : undefined, older: last };
  return { contacts, begin, newer: place.cursor && first, older: isFull ? last : undefined };
}

/**
 * Reads the first page of an open list again, from the contact at which it began: newer contacts must not move the list
 * under the reader's eyes. A list without a contact has only its place.
 */
export async function reloadFirstPage(
  filter: ContactsFilter,
  before: readonly ContactsPage[],
  place: Place,
): Promise<ContactsPage> {
  const begin = before.find((page) => page.begin)?.begin;
  const page = await loadPage(filter, begin ? placeOf(begin) : place);
  return { ...page, begin, newer: before[0]?.newer };
}

/** The data is null on a hosted project that has no news. */
export async function loadNews(): Promise<InboxNews | null> {
  return unwrap(await readNews());
}

function toCursor(contact: StoredContact | undefined): Cursor | undefined {
  return contact && { at: contact.submitted_at, id: contact.id };
}
