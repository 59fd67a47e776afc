import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { ContactsPage } from "../../backend/inbox";
import { merge, NoContacts, readContacts } from "./read-contacts";

/** The contacts read so far, and how to read on. They are read anew whenever the window gets the focus. */
export function useContacts() {
  return useInfiniteQuery<ContactsPage, NoContacts, ContactsPage, string[], number>({
    queryKey: ["contacts"],
    queryFn: ({ pageParam }) => readContacts(pageParam),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextOffset(pages),
    select: ({ pages }: InfiniteData<ContactsPage>) => merge(pages),
    // The client below repeats what is worth repeating; about the rest a person decides. Offline is an answer too.
    retry: false,
    networkMode: "always",
    throwOnError: (error) => !(error instanceof NoContacts),
  });
}

export type Contacts = ReturnType<typeof useContacts>;

function nextOffset(pages: readonly ContactsPage[]): number | undefined {
  const read = pages.reduce((sum, page) => sum + page.contacts.length, 0);
  const last = pages.at(-1);
  return last && last.contacts.length > 0 && read < last.total ? read : undefined;
}
