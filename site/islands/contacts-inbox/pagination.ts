import type { ContactsPage, StoredContact } from "../../supabase/read-contacts";

export const contactsPerPage = 50;

/**
 * Keeps each contact once. If a new contact arrives between two requests, the last contact of the loaded page moves to
 * the next page, so that both pages contain it.
 */
export function mergePages(pages: readonly ContactsPage[]): ContactsPage {
  const byId = new Map<string, StoredContact>();
  for (const contact of pages.flatMap((page) => page.contacts)) byId.set(contact.id, contact);
  return { contacts: [...byId.values()], total: pages.at(-1)?.total ?? 0 };
}

/** The offset of the next page, or undefined after the last one. */
export function nextOffset(pages: readonly ContactsPage[]): number | undefined {
  const loaded = pages.reduce((sum, page) => sum + page.contacts.length, 0);
  const last = pages.at(-1);
  return last && last.contacts.length > 0 && loaded < last.total ? loaded : undefined;
}
