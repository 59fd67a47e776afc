import { type InfiniteData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import type { ContactsPage } from "../../supabase/read-contacts";
import { deliveryFailures } from "./delivery-failures";
import { LoadError, loadContacts, requireAdmin } from "./load-contacts";
import { mergePages, nextOffset } from "./pagination";
import { weeks } from "./weeks-chart";

/**
 * The contacts that are loaded so far, in pages. They are loaded again when the window gets the focus and once a minute
 * (docs/specification.md#inbox-list).
 */
export function useContacts() {
  return useInfiniteQuery<ContactsPage, LoadError, ContactsPage, string[], number>({
    queryKey: ["contacts"],
    queryFn: ({ pageParam, client }) => (pageParam === 0 ? loadFirst(client) : loadContacts(pageParam)),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextOffset(pages),
    select: ({ pages }: InfiniteData<ContactsPage>) => mergePages(pages),
    // Nothing is retried here: the client library already repeats requests, and the page has a button to try again.
    // `networkMode` lets a request fail while the device is offline, instead of waiting.
    retry: false,
    refetchInterval: 60_000,
    networkMode: "always",
    throwOnError: (error) => !(error instanceof LoadError),
  });
}

/** Waits for the parts of the page above the list too, so that the list does not move after it has appeared. */
async function loadFirst(client: QueryClient): Promise<ContactsPage> {
  await requireAdmin();
  const above = [client.prefetchQuery(deliveryFailures), client.prefetchQuery(weeks)];
  const [page] = await Promise.all([loadContacts(0), ...above]);
  return page;
}

export type Contacts = ReturnType<typeof useContacts>;
