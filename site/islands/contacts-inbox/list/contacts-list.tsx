import { useEffect, useRef } from "react";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../../components/button";
import { Notice } from "../../../components/notice";
import type { StoredContact } from "../../../supabase/read-contacts";
import { showNewest } from "../find/use-view";
import styles from "./contacts-list.module.css";
import { ContactsTable, type ContactsTableProps } from "./contacts-table";
import type { ContactsQuery } from "./use-contacts";
import { showNewer, showOlder } from "./use-contacts";

interface ContactsListProps {
  contacts: ContactsQuery;
  table: ContactsTableProps;
  /** The number of the reading; undefined while the list is being replaced by another one. */
  reading: number | undefined;
}

/** The loaded contacts, and the buttons to the newer and the older ones. */
export function ContactsList({ contacts, table, reading }: ContactsListProps) {
  const { error, hasNextPage, hasPreviousPage, isFetchingNextPage, isFetchingPreviousPage } = contacts;
  const focusOn = useFocusOnContact(table.contacts, reading);

  return (
    <>
      {hasPreviousPage && (
        // The buttons have `aria-disabled`, because `disabled` would take the focus from them during the request.
        <div className={styles.pager}>
          <Button
            variant="tool"
            aria-disabled={isFetchingPreviousPage}
            onClick={async () => focusOn(await showNewer(contacts))}
          >
            {isFetchingPreviousPage ? inboxMessages.loading : inboxWords.newer}
          </Button>
          <Button variant="tool" onClick={showNewest}>
            {inboxWords.newest}
          </Button>
        </div>
      )}
      {table.contacts.length > 0 && <ContactsTable {...table} />}
      <div className={styles.pager}>
        {hasNextPage && (
          <Button
            variant="tool"
            aria-disabled={isFetchingNextPage}
            onClick={async () => focusOn(await showOlder(contacts))}
          >
            {isFetchingNextPage ? inboxMessages.loading : inboxWords.older}
          </Button>
        )}
        {!hasNextPage && reading !== undefined && (
          <p>{table.contacts.length > 0 ? inboxWords.end : inboxWords.noneOlder}</p>
        )}
        <Notice tone="error">{error ? (error.serverMessage ?? inboxMessages.notLoaded) : ""}</Notice>
      </div>
    </>
  );
}

/**
 * Moves the focus to a contact that a button has brought into the list, so that the keyboard goes on from there. The
 * function notes the contact; the focus moves when its row is in the table. A new reading begins at the first contact.
 */
function useFocusOnContact(contacts: readonly StoredContact[], reading: number | undefined) {
  const wanted = useRef<string>(undefined);
  const readingBefore = useRef(reading);
  useEffect(() => {
    if (reading !== undefined && readingBefore.current !== reading) {
      if (readingBefore.current !== undefined) wanted.current = contacts[0]?.id;
      readingBefore.current = reading;
    }
    const link = wanted.current && document.querySelector<HTMLElement>(`[data-contact="${wanted.current}"] a`);
    if (!link) return;
    wanted.current = undefined;
    link.focus();
  });
  return (id: string | undefined) => {
    wanted.current = id;
  };
}
