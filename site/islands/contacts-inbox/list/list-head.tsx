import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { formatTime, timeOfDay } from "../contact-text";
import { ExportContacts } from "../export/export-contacts";
import { ClearFilters } from "../find/find-bar";
import { isFiltered } from "../find/inbox-view";
import { showNewest, useInboxView } from "../find/use-inbox-view";
import { contactsPerPage } from "./contact-pages";
import styles from "./contacts-list.module.css";
import { useCount } from "./use-contacts";

interface ListHeadProps {
  /** How many contacts have arrived; they are not in the list yet. */
  arrivals: number;
  /** When the list was read last, while the server cannot be reached. */
  offlineSince: Date | undefined;
  busy: boolean;
  /** The text in place of an empty list has its own button that clears the filters. */
  isEmpty: boolean;
}

/**
 * What stands above the list: what has happened since the list was read (it does not move for that), how many contacts
 * there are, and the buttons that clear the filters and export the contacts.
 */
export function ListHead({ arrivals, offlineSince, busy, isEmpty }: ListHeadProps) {
  const { view } = useInboxView();
  const count = useCount(view);
  const words = isFiltered(view) ? inboxWords.found : inboxWords.total;
  const found = count ? inboxWords.inView(view.state, words(count.contacts, count.isEstimate)) : "";
  return (
    <>
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
      <div className={styles.line}>
        <p role="status">{busy ? inboxMessages.loading : found}</p>
        {isFiltered(view) && !isEmpty && <ClearFilters />}
        {!isEmpty && <ExportContacts />}
      </div>
    </>
  );
}
