import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../../components/button";
import { Notice } from "../../../components/notice";
import type { StoredContact } from "../../../supabase/read-contacts";
import type { Selection } from "../changes/use-selection";
import { showNewest } from "../find/use-inbox-view";
import styles from "./contacts-list.module.css";
import { ContactsTable } from "./contacts-table";
import { EmptyList, Loading } from "./list-state";
import { type ContactsQuery, showNewer, showOlder } from "./use-contacts";

interface ContactsListProps {
  contacts: ContactsQuery;
  shown: readonly StoredContact[];
  selection: Selection;
  busy: boolean;
  /** Gets the first contact that a button has brought into the list, so that the keyboard goes on from there. */
  onFirstNew: (id: string | undefined) => void;
}

/** The loaded contacts, and the buttons to the newer and the older ones. */
export function ContactsList({ contacts, shown, selection, busy, onFirstNew }: ContactsListProps) {
  const { error, hasNextPage, hasPreviousPage, isFetchingNextPage, isFetchingPreviousPage } = contacts;
  const isEmpty = shown.length === 0;
  // Changes have emptied the list, and its next page is being read.
  if (isEmpty && contacts.isFetching && contacts.data?.contacts.length) return <Loading />;
  // A list that begins after the last contact has newer ones.
  if (isEmpty && !hasPreviousPage) return <EmptyList />;
  return (
    <>
      {hasPreviousPage && (
        // The buttons have `aria-disabled`, because `disabled` would take the focus from them during the request.
        <div className={styles.pager}>
          <Button
            variant="tool"
            aria-disabled={isFetchingPreviousPage}
            onClick={async () => onFirstNew(await showNewer(contacts))}
          >
            {isFetchingPreviousPage ? inboxMessages.loading : inboxWords.newer}
          </Button>
          <Button variant="tool" onClick={showNewest}>
            {inboxWords.newest}
          </Button>
        </div>
      )}
      {!isEmpty && <ContactsTable contacts={shown} selection={selection} busy={busy} />}
      <div className={styles.pager}>
        {hasNextPage && (
          <Button
            variant="tool"
            aria-disabled={isFetchingNextPage}
            onClick={async () => onFirstNew(await showOlder(contacts))}
          >
            {isFetchingNextPage ? inboxMessages.loading : inboxWords.older}
          </Button>
        )}
        {!hasNextPage && !contacts.isPlaceholderData && <p>{isEmpty ? inboxWords.noneOlder : inboxWords.end}</p>}
        <Notice tone="error">{error ? (error.serverMessage ?? inboxMessages.notLoaded) : ""}</Notice>
      </div>
    </>
  );
}
