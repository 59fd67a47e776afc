import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { LoadError, throwBugs, unwrap } from "../../../supabase/load-error";
import { type ContactsFilter, countContacts, type Place, type StoredContact } from "../../../supabase/read-contacts";
import { readSettled } from "../changes/contact-changes";
import { type InboxView, toFilter } from "../find/inbox-view";
import { markPlace, useInboxView } from "../find/use-inbox-view";
import { contactsKey, countsKey, hasNews, newsKey } from "../query-cache";
import { requireAdmin } from "../require-admin";
import { weeks } from "../weeks/weeks-chart";
import { type ContactsPage, loadNews, loadPage, placeOf, reloadFirstPage } from "./contact-pages";
import { deliveryFailures } from "./delivery-notice";

/** More pages would make the page slow; the others are read again when the reader comes back to them. */
const pagesMax = 5;

export interface LoadedContacts {
  contacts: StoredContact[];
  /** Whether the list begins with the newest contact. */
  beginsAtTop: boolean;
  begin: string | undefined;
}

/** The contacts of the current view that are loaded, in pages (docs/specification.md#inbox-pages). */
export function useContacts(enabled: boolean) {
  const queries = useQueryClient();
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
    // Without news from the server, the list is read again when the window gets the focus and once a minute.
    // Another tab may just have set up the second factor.
    refetchOnWindowFocus: ({ state }) => state.error?.reason === "set-up" || !hasNews(queries),
    refetchInterval: ({ state }) => (state.error?.keepsList ? 10_000 : hasNews(queries) ? false : 60_000),
  });
}

export type ContactsQuery = ReturnType<typeof useContacts>;

/** The number of all contacts of the view; null or undefined if it is not known. */
export function useCount(view: InboxView) {
  const filter = toFilter(view);
  return useQuery({
    queryKey: [...countsKey, filter],
    queryFn: async () => unwrap(await countContacts(filter)),
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
    refetchOnWindowFocus: false,
  }).data;
}

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
  // A role that another list has just checked is not checked for each letter of a search.
  await requireAdmin(queries, before ? 0 : 10_000);
  if (before && hasNews(queries)) return readSettled(() => reloadFirstPage(filter, before.pages, place));
  // Wait for the parts of the page above the list too, so that the list does not move after it has appeared.
  const once = { staleTime: Number.POSITIVE_INFINITY };
  const above = [
    queries.prefetchQuery({ ...deliveryFailures, ...once }),
    queries.prefetchQuery({ ...weeks, ...once }),
    queries.prefetchQuery({ queryKey: newsKey, queryFn: loadNews, ...once }),
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
  const { data } = await contacts.fetchNextPage();
  const first = data?.contacts.find(({ id }) => !known.some((contact) => contact.id === id));
  if (first) markPlace(first.submitted_at);
  return first?.id;
}

/** Reads the page before. Returns the id of its first contact if no newer page is left: the button is then gone. */
export async function showNewer(contacts: ContactsQuery): Promise<string | undefined> {
  if (contacts.isFetchingPreviousPage || !contacts.hasPreviousPage) return;
  const { data } = await contacts.fetchPreviousPage();
  if (!data) return;
  markPlace(data.beginsAtTop ? undefined : data.begin);
  return data.beginsAtTop ? data.contacts[0]?.id : undefined;
}
