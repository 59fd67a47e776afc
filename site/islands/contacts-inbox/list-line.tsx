import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { ClearFilters } from "./find-bar";
import styles from "./list-line.module.css";
import { useCount } from "./use-contacts";
import { isFiltered, type View } from "./view";

/** The line above the list: how many contacts there are, and the way out of all filters. */
export function ListLine({ view, busy, isAdmin }: { view: View; busy: boolean; isAdmin: boolean }) {
  const count = useCount(view, isAdmin);
  const words = isFiltered(view) ? inboxWords.found : inboxWords.total;
  return (
    <div className={styles.line}>
      <p role="status">{busy ? inboxMessages.loading : count ? words(count.contacts, count.isEstimate) : ""}</p>
      {isFiltered(view) && <ClearFilters />}
    </div>
  );
}
