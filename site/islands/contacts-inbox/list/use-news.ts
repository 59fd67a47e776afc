import { onlineManager, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type InboxNews, readContacts } from "../../../supabase/read-contacts";
import type { Location } from "../find/use-view";
import { toFilter } from "../find/view";
import { type LoadError, unwrap } from "../load-error";
import { contactsKey, countsKey, hasNews, newsKey, panelKey } from "../query-keys";
import { loadNews, placeOf } from "./contact-pages";
import type { LoadedContacts } from "./use-contacts";

const pollMilliseconds = 10_000;

/**
 * Polls what has happened in the inbox; the query library does so only while the page is visible. The data is null on a
 * hosted project without this function: nothing is polled then (docs/specification.md#news-in-the-inbox).
 */
export function useNews(enabled: boolean) {
  const queries = useQueryClient();
  const { data, error } = useQuery<InboxNews | null, LoadError>({
    queryKey: newsKey,
    queryFn: loadNews,
    enabled,
    staleTime: pollMilliseconds / 2,
    refetchInterval: hasNews(queries) ? pollMilliseconds : false,
    refetchOnWindowFocus: hasNews(queries) && "always",
    refetchOnReconnect: hasNews(queries) && "always",
  });

  useOnChange(data?.revision, () => {
    // A page that is being read is read to its end: an invalidation would cancel it, and a press on Older be lost.
    // Between a change of this page and its undo, the contact would not be in the list.
    if (queries.isFetching({ queryKey: contactsKey }) > 0 || queries.isMutating() > 0) return false;
    for (const queryKey of [contactsKey, panelKey, countsKey]) queries.invalidateQueries({ queryKey });
  });
  useOnChange(data?.newest_at, () => queries.invalidateQueries({ queryKey: countsKey }));
  // The account has lost its role: the list checks it again, and then shows nothing.
  useOnChange(error?.reason === "refused", (isRefused) => {
    if (!isRefused) return;
    queries.invalidateQueries({ queryKey: contactsKey });
  });
  return { news: data, isUnanswered: error?.reason === "unanswered" };
}

/** The number of contacts of this view that have arrived since its list was read; at most 50 are counted. */
export function useArrivals(
  { view, reading }: Location,
  list: LoadedContacts | undefined,
  news: InboxNews | null | undefined,
) {
  const queries = useQueryClient();
  const newest = news?.newest_at ?? undefined;
  // A list that begins elsewhere has no newest contact; what counts is what was there when the reader came.
  const [seen, setSeen] = useState({ reading, newest });
  if (seen.reading !== reading || (!seen.newest && newest)) setSeen({ reading, newest });
  const since = list?.beginsAtTop ? list.begin : seen.newest;
  const filter = toFilter(view);
  const { data } = useQuery({
    queryKey: ["arrivals", filter, since, newest],
    queryFn: async () => unwrap(await readContacts(filter, { ...placeOf(since), newer: true })).length,
    // Times of the database have one format and one time zone, so they compare as texts.
    enabled: Boolean(list && since && newest && newest > since),
  });
  // An empty list has no place that could move.
  const isEmpty = list?.beginsAtTop && !list.begin;
  useOnChange(newest, () => isEmpty && queries.invalidateQueries({ queryKey: contactsKey }));
  return data ?? 0;
}

/**
 * Calls `changed` when the value becomes another one; the first value is not a change. If it returns false, it is called
 * again after the next rendering.
 */
function useOnChange<Value>(value: Value | undefined, changed: (value: Value) => unknown) {
  const before = useRef(value);
  useEffect(() => {
    const last = before.current;
    if (value === undefined || value === last) return;
    if (last !== undefined && changed(value) === false) return;
    before.current = value;
  });
}

/** Whether the device has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
    () => true,
  );
}
