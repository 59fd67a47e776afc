import { inboxWords } from "#content/inbox";
import { formatTime, timeOfDay } from "../data/contact-text";
import { showNewest } from "../find/use-inbox-view";
import { type ContactsQuery, contactsPerPage } from "./contact-pages";
import styles from "./list-notice.module.css";
import { useArrivals, useOffline } from "./use-news";

/** What has happened since the list was read. Its place has no height, so nothing moves when a notice appears. */
export function ListNotice({ contacts }: { contacts: ContactsQuery }) {
  const arrivals = useArrivals(contacts);
  const isOffline = useOffline(contacts.error);
  return (
    <div className={styles.place} role="status">
      {isOffline && contacts.data ? (
        <p className={styles.offline}>{inboxWords.offline(formatTime(new Date(contacts.dataUpdatedAt), timeOfDay))}</p>
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
