import type { Contacts } from "./use-contacts";
import { markPlace } from "./use-view";

/**
 * Reads the next page. The address notes where it begins, so that a reload or a shared link begins there. Returns the id
 * of its first contact.
 */
export async function showOlder(contacts: Contacts): Promise<string | undefined> {
  if (contacts.isFetchingNextPage || !contacts.hasNextPage) return;
  const known = contacts.data?.contacts ?? [];
  const { data } = await contacts.fetchNextPage();
  const first = data?.contacts.find(({ id }) => !known.some((contact) => contact.id === id));
  if (first) markPlace(first.submitted_at);
  return first?.id;
}

/** Reads the page before. Returns the id of its first contact if no newer page is left: the button is then gone. */
export async function showNewer(contacts: Contacts): Promise<string | undefined> {
  if (contacts.isFetchingPreviousPage || !contacts.hasPreviousPage) return;
  const { data } = await contacts.fetchPreviousPage();
  if (!data) return;
  markPlace(data.beginsAtTop ? undefined : data.begin);
  return data.beginsAtTop ? data.contacts[0]?.id : undefined;
}
