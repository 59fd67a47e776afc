import { type InfiniteData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import type { ContactsPage } from "../../supabase/inbox";
import { deliveryFailures } from "./delivery-failures";
import { LoadError, merge, readContacts, requireReader } from "./read-contacts";
import { weeks } from "./weeks";

/**
 * The contacts read so far, and how to read on. They are read anew whenever the window gets the focus, and every minute
 * that somebody may be looking.
 */
export function useContacts() {
  return useInfiniteQuery<ContactsPage, LoadError, ContactsPage, string[], number>({
    queryKey: ["contacts"],
    queryFn: ({ pageParam, client }) => (pageParam === 0 ? readFirst(client) : readContacts(pageParam)),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextOffset(pages),
    select: ({ pages }: InfiniteData<ContactsPage>) => merge(pages),
    // The client below repeats what is worth repeating; about the rest a person decides. Offline is an answer too.
    retry: false,
    refetchInterval: 60_000,
    networkMode: "always",
    throwOnError: (error) => !(error instanceof LoadError),
  });
}

/** With what stands above the list, so that nothing pushes the list down after it was seen. */
async function readFirst(client: QueryClient): Promise<ContactsPage> {
  await requireReader();
  const above = [client.prefetchQuery(deliveryFailures), client.prefetchQuery(weeks)];
  const [page] = await Promise.all([readContacts(0), ...above]);
  return page;
}

export type Contacts = ReturnType<typeof useContacts>;

function nextOffset(pages: readonly ContactsPage[]): number | undefined {
  const read = pages.reduce((sum, page) => sum + page.contacts.length, 0);
  const last = pages.at(-1);
  return last && last.contacts.length > 0 && read < last.total ? read : undefined;
}
