import { useEffect } from "react";
import { inboxWords } from "#content/inbox";
import { contactsPerPage, type InboxNews } from "../../supabase/read-contacts";
import { formatTime, timeOfDay } from "./contact-text";
import styles from "./list-notices.module.css";
import { showNewest } from "./use-view";

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
