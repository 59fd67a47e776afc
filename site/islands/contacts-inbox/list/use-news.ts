import {
  type InfiniteData,
  onlineManager,
  type Query,
  useIsMutating,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { inboxWords } from "#content/inbox";
import { type LoadError, unwrap } from "../../../supabase/load-error";
import { type InboxNews, readContacts } from "../../../supabase/read-contacts";
import { stateChangeKey } from "../changes/contact-changes";
import { toFilter } from "../find/inbox-view";
import type { InboxLocation } from "../find/use-inbox-view";
import { contactsKey, countsKey, hasNews, newsKey, reloadContacts } from "../query-cache";
import { type ContactsPage, contactsPerPage, loadNews, placeOf } from "./contact-pages";
import type { LoadedContacts } from "./use-contacts";

const pollMilliseconds = 10_000;

/**
 * Polls what has happened in the inbox; the query library does so only while the page is visible. The data is null on a
 * hosted project without this function: nothing is polled then (docs/specification.md#news-in-the-inbox). While
 * `isReading`, the list is not read again.
 */
export function useNews(enabled: boolean, isReading: boolean) {
  const queries = useQueryClient();
  const { data: news, error } = useQuery<InboxNews | null, LoadError>({
    queryKey: newsKey,
    queryFn: loadNews,
    enabled,
    staleTime: pollMilliseconds / 2,
    refetchInterval: hasNews(queries) ? pollMilliseconds : false,
    refetchOnWindowFocus: hasNews(queries) && "always",
    refetchOnReconnect: hasNews(queries) && "always",
  });

  useReloadOnNews(news, isReading);
  // The account has lost its role: the list checks it again, and then shows nothing.
  const isRefused = error?.reason === "refused";
  useEffect(() => {
    if (isRefused) queries.invalidateQueries({ queryKey: contactsKey });
  }, [isRefused, queries]);
  return { news, isUnanswered: error?.reason === "unanswered" };
}

/** Reads again what the news have changed, except while a list is being read or a state changed. */
function useReloadOnNews(news: InboxNews | null | undefined, isReading: boolean) {
  const queries = useQueryClient();
  const known = useRef(news);
  // Between a change of this page and its undo, the contact would not be in the list.
  const isChanging = useIsMutating({ mutationKey: stateChangeKey }) > 0;
  useEffect(() => {
    // A page that is being read is read to its end: another reading would cancel it, and a press on Older be lost.
    if (!news || isReading || isChanging) return;
    const before = known.current;
    known.current = news;
    if (!before) return;
    if (news.revision !== before.revision) reloadContacts(queries);
    else if (news.newest_at !== before.newest_at) {
      queries.invalidateQueries({ queryKey: countsKey });
      queries.invalidateQueries({ queryKey: contactsKey, predicate: isEmptyList });
    }
  }, [news, isReading, isChanging, queries]);
}

/** An empty list has no place that could move. */
function isEmptyList({ state }: Query): boolean {
  const list = state.data as InfiniteData<ContactsPage> | undefined;
  return list?.pages.every(({ begin, newer }) => !begin && !newer) ?? false;
}

/** The number of contacts of this view that have arrived since its list was read; at most 50 are counted. */
export function useArrivals(
  { view, reading }: InboxLocation,
  list: LoadedContacts | undefined,
  news: InboxNews | null | undefined,
) {
  const newest = news?.newest_at ?? undefined;
  // A list that begins elsewhere has no newest contact; what counts is what was there when the reader came.
  const [seen, setSeen] = useState({ reading, newest });
  if (seen.reading !== reading || (!seen.newest && newest)) setSeen({ reading, newest });
  const since = list?.beginsAtTop ? list.begin : seen.newest;
  const filter = toFilter(view);
  const { data } = useQuery({
    queryKey: ["arrivals", filter, since, newest],
    queryFn: async () => unwrap(await readContacts(filter, contactsPerPage, { ...placeOf(since), newer: true })).length,
    // Times of the database have one format and one time zone, so they compare as texts.
    enabled: Boolean(list && since && newest && newest > since),
  });
  return data ?? 0;
}

/** The number of new contacts stands in the page's title, such as "(3) Contacts". */
export function useNewInTitle(news: InboxNews | null | undefined) {
  const count = news?.unread ?? 0;
  useEffect(() => {
    if (count === 0) return;
    const title = document.title;
    document.title = `(${inboxWords.number(count)}) ${title}`;
    return () => {
      document.title = title;
    };
  }, [count]);
}

/** Whether the device has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
    () => true,
  );
}
