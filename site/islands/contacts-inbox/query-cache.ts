import { type InfiniteData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { findContact, listContactsFrom } from "../../supabase/change-contacts";
import { unwrap } from "../../supabase/load-error";
import type { StoredContact } from "../../supabase/read-contacts";
import type { ContactsPage } from "./list/contact-pages";
import { recheckRole } from "./require-admin";

/** The key of every list begins with this. The data of a list is an `InfiniteData<ContactsPage, Place>`. */
export const contactsKey = ["contacts"];
export const countsKey = ["contact-counts"];
/** Everything that the panel of the open contact reads is below this key. */
const panelKey = ["contact-panel"];
export const newsKey = ["inbox-news"];

/** False on a hosted project that lacks the function of the news. Until the first answer, it is taken for granted. */
export function hasNews(queries: QueryClient): boolean {
  return queries.getQueryData(newsKey) !== null;
}

/** Reads one contact; null if there is none. */
export function contactQuery(id: string) {
  return queryOptions({
    queryKey: [...panelKey, "contact", id],
    queryFn: async ({ client }) => {
      const contact = unwrap(await findContact(id));
      if (!contact) await recheckRole(client);
      return contact ?? null;
    },
  });
}

/** Reads all contacts from an email address, newest first. */
export function contactsFromQuery(email: string) {
  return queryOptions({
    queryKey: [...panelKey, "from", email],
    queryFn: async () => unwrap(await listContactsFrom(email)),
  });
}

/** Puts changed contacts into everything that has been loaded, so that nothing has to be read again. */
export function replaceInCache(queries: QueryClient, changed: readonly StoredContact[]) {
  const byId = new Map(changed.map((contact) => [contact.id, contact]));
  changeCache(queries, (contact) => byId.get(contact.id) ?? contact);
}

export function removeFromCache(queries: QueryClient, ids: readonly string[]) {
  changeCache(queries, (contact) => (ids.includes(contact.id) ? null : contact));
}

export function reloadContacts(queries: QueryClient) {
  for (const queryKey of [contactsKey, panelKey, countsKey]) queries.invalidateQueries({ queryKey });
}

function changeCache(queries: QueryClient, change: (contact: StoredContact) => StoredContact | null) {
  const changeAll = (contacts: StoredContact[]) => contacts.flatMap((contact) => change(contact) ?? []);
  queries.setQueriesData<InfiniteData<ContactsPage>>(
    { queryKey: contactsKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, contacts: changeAll(page.contacts) })) },
  );
  queries.setQueriesData<StoredContact[]>({ queryKey: [...panelKey, "from"] }, (data) => data && changeAll(data));
  queries.setQueriesData<StoredContact | null>({ queryKey: [...panelKey, "contact"] }, (data) => data && change(data));
  for (const queryKey of [countsKey, newsKey]) queries.invalidateQueries({ queryKey });
}
