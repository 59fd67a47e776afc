import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type DeliveryFailures, listDeliveryFailures } from "../../../supabase/deliveries";
import { type LoadError, unwrap } from "../../../supabase/load-error";
import {
  type Cursor,
  countContacts,
  findContact,
  type InboxNews,
  listContactsFrom,
  readNews,
  type StoredContact,
} from "../../../supabase/read-contacts";
import type { Result } from "../../../supabase/result";
import { recheckRole } from "./require-admin";

/** The key of every list begins with this. The data of a list is an `InfiniteData<ContactsPage, Place>`. */
export const contactsKey = ["contacts"];
export const countsKey = ["contact-counts"];
/** Everything that the panel of the open contact reads is below this key. */
const panelKey = ["contact-panel"];
/**
 * One page of a list, newest first. Changes may take contacts out of it later; `begin` and the cursors stay as they were
 * read.
 */
export interface ContactsPage {
  contacts: StoredContact[];
  /** The time of the first contact when the page was first read. */
  begin: string | undefined;
  /** Undefined where the list ends. */
  newer: Cursor | undefined;
  older: Cursor | undefined;
}

/** What has happened in the inbox. */
export const newsQuery = queryOptions<InboxNews, LoadError>({
  queryKey: ["inbox-news"],
  queryFn: async () => unwrap(await readNews()),
});

/**
 * The failed deliveries; null on a hosted Supabase project, which has no such list. While there are any, the list is
 * read every 15 seconds, so that a success shows soon.
 */
export const deliveryFailures = queryOptions<DeliveryFailures | null>({
  queryKey: ["delivery-failures"],
  queryFn: async () => unwrap(await listDeliveryFailures()),
  staleTime: 10_000,
  refetchInterval: ({ state }) => (state.data && state.data.total > 0 ? 15_000 : false),
});

/**
 * How many contacts are stored, spam and deleted ones too. It is read once, so that no part of the page comes or goes
 * while someone reads.
 */
export const storedQuery = queryOptions({
  queryKey: ["stored-contacts"],
  queryFn: async () => {
    return unwrap(await countContacts({}));
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** How many contacts were stored when the page was opened; undefined if that is not known. */
export function useStored(enabled: boolean): number | undefined {
  return useQuery({ ...storedQuery, enabled }).data;
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

/**
 * Saves a change of one contact. `onSaved` gets the contact as the database has it: also that of another administrator, if
 * that was faster. Where none came back, it is missing: it was removed, or this account may no longer read it.
 */
export function useSaveContact<Change>(
  id: string,
  save: (change: Change) => Promise<Result<StoredContact | undefined>>,
  onSaved: (saved: StoredContact, change: Change) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    throwOnError: true,
    mutationFn: async (change: Change) => {
      const saved = await save(change);
      return saved.ok && !saved.value ? findContact(id) : saved;
    },
    onSuccess: async (result, change) => {
      if (!result.ok) return;
      if (!result.value) return recheckRole(queries);
      replaceInCache(queries, [result.value]);
      onSaved(result.value, change);
    },
  });
}

/** What the news will tell if nothing happens beside the changes of this page. */
let expected: Pick<InboxNews, "unread" | "revision"> | undefined;

/** Whether something has happened that this page has not done itself. It is known from then on. */
export function isNews({ unread, revision }: InboxNews): boolean {
  const before = expected;
  expected = { unread, revision };
  return before !== undefined && (before.unread !== unread || before.revision !== revision);
}

/**
 * A change of this page is no news: the lists have it already. A correction is, because only the database knows which
 * searches find the contact then.
 */
export function expectNews({ revisions, unread = 0 }: { revisions: number; unread?: number }) {
  if (!expected) return;
  expected.revision += revisions;
  expected.unread += unread;
}

/** Replaces these contacts in everything that has been loaded, so that no list has to be read again. */
export function replaceInCache(queries: QueryClient, changed: readonly StoredContact[]) {
  const byId = new Map(changed.map((contact) => [contact.id, contact]));
  const replace = (contact: StoredContact) => byId.get(contact.id) ?? contact;
  queries.setQueriesData<InfiniteData<ContactsPage>>(
    { queryKey: contactsKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, contacts: page.contacts.map(replace) })) },
  );
  queries.setQueriesData<StoredContact[]>({ queryKey: [...panelKey, "from"] }, (data) => data?.map(replace));
  queries.setQueriesData<StoredContact | null>({ queryKey: [...panelKey, "contact"] }, (data) => data && replace(data));
  for (const queryKey of [countsKey, newsQuery.queryKey]) queries.invalidateQueries({ queryKey });
}

export function reloadContacts(queries: QueryClient) {
  for (const queryKey of [contactsKey, panelKey, countsKey]) queries.invalidateQueries({ queryKey });
}
