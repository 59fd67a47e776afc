import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { unwrap } from "../../../supabase/load-error";
import { countContacts } from "../../../supabase/read-contacts";
import { formatTime, timeOfDay } from "../contact-text";
import { isFiltered, toFilter } from "../find/inbox-view";
import { ClearFilters } from "../find/search-and-filters";
import { showNewest, useInboxView } from "../find/use-inbox-view";
import { countsKey } from "../query-cache";
import { type ContactsQuery, contactsPerPage } from "./contact-pages";
import { ExportContacts } from "./export-contacts";
import styles from "./list-head.module.css";
import { useArrivals, useOffline } from "./use-news";

/**
 * What stands above the list: what has happened since the list was read (it does not move for that), how many contacts
 * there are, and the buttons that clear the filters and export the contacts.
 */
export function ListHead({ contacts }: { contacts: ContactsQuery }) {
  const { data: list, dataUpdatedAt, isPlaceholderData } = contacts;
  const { view } = useInboxView();
  const busy = useDelayedPending(isPlaceholderData);
  const count = useCountText();
  const arrivals = useArrivals(contacts);
  const isOffline = useOffline(contacts.error);
  // The text in place of an empty list has its own button that clears the filters.
  const isEmpty = list?.contacts.length === 0;
  return (
    <>
      <div className={styles.place} role="status">
        {isOffline && list ? (
          <p className={styles.offline}>{inboxWords.offline(formatTime(new Date(dataUpdatedAt), timeOfDay))}</p>
        ) : (
          arrivals > 0 && (
            <button type="button" className={styles.arrivals} onClick={showNewest}>
              {inboxWords.arrived(arrivals, arrivals === contactsPerPage)}
            </button>
          )
        )}
      </div>
      <div className={styles.line}>
        <p role="status">{busy ? inboxMessages.loading : count}</p>
        {isFiltered(view) && !isEmpty && <ClearFilters />}
        {!isEmpty && <ExportContacts />}
      </div>
    </>
  );
}

/** How many contacts the view has, also those that are not loaded; empty if the number is not known. */
function useCountText(): string {
  const { view } = useInboxView();
  const filter = toFilter(view);
  const { data: count } = useQuery({
    queryKey: [...countsKey, filter],
    queryFn: async () => unwrap(await countContacts(filter)),
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
    refetchOnWindowFocus: false,
  });
  const words = isFiltered(view) ? inboxWords.found : inboxWords.total;
  return count ? inboxWords.inView(view.state, words(count.contacts, count.is_estimate)) : "";
}
