import { useEffect } from "react";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { contactsPerPage, type InboxNews } from "../../../supabase/read-contacts";
import { formatTime, timeOfDay } from "../contact-text";
import { ExportContacts } from "../export/export-contacts";
import { ClearFilters } from "../find/find-bar";
import { showNewest, useView } from "../find/use-view";
import { isFiltered } from "../find/view";
import styles from "./list-head.module.css";
import { useCount } from "./use-contacts";

interface ListLineProps {
  busy: boolean;
  /** In place of an empty list, a text offers the way out itself. */
  isEmpty: boolean;
}

/** The line above the list: how many contacts there are, and the way out of all filters. */
export function ListLine({ busy, isEmpty }: ListLineProps) {
  const { view } = useView();
  const count = useCount(view);
  const words = isFiltered(view) ? inboxWords.found : inboxWords.total;
  const found = count ? inboxWords.inView(view.state, words(count.contacts, count.isEstimate)) : "";
  return (
    <div className={styles.line}>
      <p role="status">{busy ? inboxMessages.loading : found}</p>
      {isFiltered(view) && !isEmpty && <ClearFilters />}
      {!isEmpty && <ExportContacts />}
    </div>
  );
}

interface ListNoticesProps {
  /** How many contacts have arrived; they are not in the list yet. */
  arrivals: number;
  /** When the list was read last, while the server cannot be reached. */
  offlineSince: Date | undefined;
}

/** What has happened to the list since it was read, above it and without moving it. */
export function ListNotices({ arrivals, offlineSince }: ListNoticesProps) {
  return (
    <div className={styles.place} role="status">
      {offlineSince ? (
        <p className={styles.offline}>{inboxWords.offline(formatTime(offlineSince, timeOfDay))}</p>
      ) : (
        arrivals > 0 && (
          <button type="button" className={styles.arrivals} onClick={showNewest}>
            {inboxWords.arrived(arrivals, arrivals === contactsPerPage)}
          </button>
        )
      )}
    </div>
  );
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
