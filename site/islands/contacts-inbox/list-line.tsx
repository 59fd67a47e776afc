import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { ExportContacts } from "./export-contacts";
import { ClearFilters } from "./find-bar";
import styles from "./list-line.module.css";
import { useCount } from "./use-contacts";
import { isFiltered, type View } from "./view";

interface ListLineProps {
  view: View;
  busy: boolean;
  /** In place of an empty list, a text offers the way out itself. */
  isEmpty: boolean;
}

/** The line above the list: how many contacts there are, and the way out of all filters. */
export function ListLine({ view, busy, isEmpty }: ListLineProps) {
  const count = useCount(view);
  const words = isFiltered(view) ? inboxWords.found : inboxWords.total;
  const found = count ? inboxWords.inView(view.state, words(count.contacts, count.isEstimate)) : "";
  return (
    <div className={styles.line}>
      <p role="status">{busy ? inboxMessages.loading : found}</p>
      {isFiltered(view) && !isEmpty && <ClearFilters />}
      {!isEmpty && <ExportContacts view={view} />}
    </div>
  );
}
