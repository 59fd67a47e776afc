import { type InfiniteData, keepPreviousData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { LoadError, throwBugs, unwrap } from "../../../supabase/load-error";
import {
  type ContactsFilter,
  type Cursor,
  type Place,
  readContacts,
  type StoredContact,
} from "../../../supabase/read-contacts";
import { readSettled } from "../changes/use-changes";
import { type ContactsPage, contactsKey, deliveryFailures, newsQuery, storedQuery } from "../data/query-cache";
import { requireAdmin } from "../data/require-admin";
import { administratorsQuery } from "../data/team";
import { toFilter } from "../find/inbox-view";
import { markPlace, useInboxView } from "../find/use-inbox-view";
import { weeks } from "../sources/this-week";

export const contactsPerPage = 50;
/** With more pages in the document, the browser would become slow. Others are read again when the reader returns. */
const pagesMax = 5;

interface LoadedContacts {
  contacts: StoredContact[];
  /** Whether the list begins with the newest contact. */
  beginsAtTop: boolean;
  begin: string | undefined;
}

/** The contacts of the current view that are loaded, in pages (docs/specification.md#inbox-pages). */
export function useContacts(enabled: boolean) {
  const { view, start, reading } = useInboxView();
  const filter = toFilter(view);
  return useInfiniteQuery<ContactsPage, LoadError, LoadedContacts, unknown[], Place>({
    ...throwBugs,
    queryKey: [...contactsKey, filter, start, reading],
    queryFn: ({ client, queryKey, pageParam }) => checked(client, () => load(client, queryKey, filter, pageParam)),
    enabled,
    initialPageParam: placeOf(start),
    getNextPageParam: ({ older }) => older && { cursor: older },
    getPreviousPageParam: ({ newer }) => newer && { cursor: newer, newer: true },
    maxPages: pagesMax,
    select: toLoadedContacts,
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
    // Another tab may just have set up the second factor.
    refetchOnWindowFocus: ({ state }) => state.error?.reason === "set-up",
    refetchInterval: ({ state }) => state.error?.keepsList && 10_000,
  });
}

export type ContactsQuery = ReturnType<typeof useContacts>;

/** An account that may not read contacts gets none. The check finds that out, and says why the database refuses a list. */
async function checked(queries: QueryClient, read: () => Promise<ContactsPage>): Promise<ContactsPage> {
  const begun = Date.now();
  const check = () => requireAdmin(queries, Date.now() - begun);
  try {
    const page = await read();
    if (page.contacts.length === 0) await check();
    return page;
  } catch (error) {
    if (error instanceof LoadError && error.reason === "refused") await check();
    throw error;
  }
}

async function load(
  queries: QueryClient,
  queryKey: readonly unknown[],
  filter: ContactsFilter,
  place: Place,
): Promise<ContactsPage> {
  const before = queries.getQueryData<InfiniteData<ContactsPage, Place>>(queryKey);
  const isFirst = !before || place === before.pageParams[0];
  if (!isFirst) return loadPage(filter, place);
  // While a search is typed, a role check of the last ten seconds is enough.
  await requireAdmin(queries, before ? 0 : 10_000);
  if (before) return readSettled(() => reloadFirstPage(filter, before.pages, place));
  // Wait for the parts of the page above the list too, so that the list does not move after it has appeared.
  const once = { staleTime: Number.POSITIVE_INFINITY };
  const above = [
    queries.prefetchQuery({ ...deliveryFailures, ...once }),
    queries.prefetchQuery({ ...weeks, ...once }),
    queries.prefetchQuery({ ...newsQuery, ...once }),
    queries.prefetchQuery(storedQuery),
    queries.prefetchQuery(administratorsQuery),
  ];
  const [page] = await Promise.all([loadPage(filter, place), ...above]);
  return page;
}

/** A contact stands in the list once, also if it has been changed between the readings of two pages. */
function toLoadedContacts({ pages }: InfiniteData<ContactsPage, Place>): LoadedContacts {
  const contacts = new Map(pages.flatMap((page) => page.contacts).map((contact) => [contact.id, contact]));
  return {
    contacts: [...contacts.values()],
    beginsAtTop: pages[0]?.newer === undefined,
    begin: pages.find((page) => page.begin)?.begin,
  };
}

/**
 * Reads the next page. The address notes where it begins, so that a reload or a shared link begins there. Returns the id
 * of its first contact.
 */
export async function showOlder(contacts: ContactsQuery): Promise<string | undefined> {
  if (contacts.isFetchingNextPage || !contacts.hasNextPage) return;
  const known = contacts.data?.contacts ?? [];
  const isStillHere = rememberPlace();
  const { data } = await contacts.fetchNextPage();
  if (!isStillHere()) return;
  const first = data?.contacts.find(({ id }) => !known.some((contact) => contact.id === id));
  if (first) markPlace(first.submitted_at);
  return first?.id;
}

/** Reads the page before. Returns the id of its first contact if no newer page is left: the button is then gone. */
export async function showNewer(contacts: ContactsQuery): Promise<string | undefined> {
  if (contacts.isFetchingPreviousPage || !contacts.hasPreviousPage) return;
  const isStillHere = rememberPlace();
  const { data } = await contacts.fetchPreviousPage();
  if (!data || !isStillHere()) return;
  markPlace(data.beginsAtTop ? undefined : data.begin);
  return data.beginsAtTop ? data.contacts[0]?.id : undefined;
}

/** The returned function tells whether the person is still at this list, at this contact and with the focus there. */
function rememberPlace(): () => boolean {
  const { href } = window.location;
  const focused = document.activeElement;
  return () => window.location.href === href && document.activeElement === focused;
}

/** The smallest id: a list that begins at a time has all contacts of that time. */
const firstId = "00000000-0000-0000-0000-000000000000";

export function placeOf(start: string | undefined): Place {
  return start ? { cursor: { at: start, id: firstId } } : {};
}

async function loadPage(filter: ContactsFilter, place: Place): Promise<ContactsPage> {
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
 * under the reader's eyes. An empty list is read from its place.
 */
async function reloadFirstPage(
  filter: ContactsFilter,
  before: readonly ContactsPage[],
  place: Place,
): Promise<ContactsPage> {
  const begin = before.find((page) => page.begin)?.begin;
  const page = await loadPage(filter, begin ? placeOf(begin) : place);
  return { ...page, begin, newer: before[0]?.newer };
}

function toCursor(contact: StoredContact | undefined): Cursor | undefined {
  return contact && { at: contact.submitted_at, id: contact.id };
}
