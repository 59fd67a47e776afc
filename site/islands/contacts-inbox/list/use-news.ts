import { onlineManager, useIsMutating, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { inboxWords } from "#content/inbox";
import { type LoadError, unwrap } from "../../../supabase/load-error";
import { type InboxNews, readContacts } from "../../../supabase/read-contacts";
import { contactsKey, countsKey, isNews, newsQuery, reloadContacts } from "../data/query-cache";
import { toFilter } from "../find/inbox-view";
import { useInboxView } from "../find/use-inbox-view";
import { type ContactsQuery, contactsPerPage, placeOf } from "./contact-pages";

const pollMilliseconds = 10_000;

/**
 * Polls what has happened in the inbox (docs/specification.md#news-in-the-inbox); the query library does so only while
 * the page is visible. While `isReading`, the list is not read again.
 */
export function useNews(enabled: boolean, isReading: boolean) {
  const queries = useQueryClient();
  const {
    data: news,
    error,
    isFetching,
  } = useQuery({
    ...newsQuery,
    enabled,
    staleTime: pollMilliseconds / 2,
    refetchInterval: pollMilliseconds,
    refetchOnWindowFocus: "always",
    refetchOnReconnect: "always",
  });

  useReloadOnNews(error ? undefined : news, isReading || isFetching);
  // The account has lost its role: the list checks it again, and then shows nothing.
  const isRefused = error?.reason === "refused";
  useEffect(() => {
    if (isRefused) queries.invalidateQueries({ queryKey: contactsKey });
  }, [isRefused, queries]);
  return news;
}

/**
 * Reads the list again after news, except while list or news are being read. It keeps its place, so newer contacts do not
 * come into it, but a contact does whose transaction ended after that of a newer one.
 */
function useReloadOnNews(news: InboxNews | undefined, isReading: boolean) {
  const queries = useQueryClient();
  // News that were read while this page changes something may have the change already.
  const isChanging = useIsMutating() > 0;
  useEffect(() => {
    // Another reading would cancel the one of an older page, for which a person has pressed a button.
    if (news && !isReading && !isChanging && isNews(news)) reloadContacts(queries);
  }, [news, isReading, isChanging, queries]);
}

/** The number of contacts of this view that have arrived since its list was read; at most 50 are counted. */
export function useArrivals({ data: list, isPlaceholderData }: ContactsQuery): number {
  const { view, reading } = useInboxView();
  const { data: news } = useQuery({ ...newsQuery, enabled: false });
  const newest = news?.newest_at ?? undefined;
  // A list that begins elsewhere does not have the newest contact, so what was the newest at its opening counts.
  const [seen, setSeen] = useState({ reading, newest });
  if (seen.reading !== reading || (!seen.newest && newest)) setSeen({ reading, newest });
  const since = list?.beginsAtTop && !isPlaceholderData ? list.begin : seen.newest;
  const filter = toFilter(view);
  const { data } = useQuery({
    queryKey: [...countsKey, "arrivals", filter, since, newest],
    queryFn: async () => unwrap(await readContacts(filter, contactsPerPage, { ...placeOf(since), newer: true })).length,
    // Times of the database have one format and one time zone, so they compare as texts.
    enabled: Boolean(list && !isPlaceholderData && since && newest && newest > since),
  });
  return data ?? 0;
}

/** The number of new contacts stands in the page's title, such as "(3) Contacts". */
export function useNewInTitle(news: InboxNews | undefined) {
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

/** Whether the device has no network, or the server did not answer the last request of the list or of the news. */
export function useOffline(listError: LoadError | null): boolean {
  const { error: newsError } = useQuery({ ...newsQuery, enabled: false });
  const isOnline = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
    () => true,
  );
  return !isOnline || [listError, newsError].some((error) => error?.reason === "unanswered");
}
