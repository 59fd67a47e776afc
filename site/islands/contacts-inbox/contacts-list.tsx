import { useEffect, useRef } from "react";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import styles from "./contacts-list.module.css";
import { ContactsTable } from "./contacts-table";
import type { Contacts, LoadedContacts } from "./use-contacts";
import { type Location, markPlace, showNewest } from "./use-view";

interface ContactsListProps {
  contacts: Contacts;
  list: LoadedContacts;
  location: Location;
  /** The list is being replaced by another one. */
  busy: boolean;
}

/** The loaded contacts, and the buttons to the newer and the older ones. */
export function ContactsList({ contacts, list, location, busy }: ContactsListProps) {
  const { error, hasNextPage, isFetchingNextPage, isFetchingPreviousPage } = contacts;
  const focusOn = useFocusOnContact(list, contacts.isPlaceholderData ? undefined : location.reading);

  // The address notes where the page begins that was read last, so that a reload or a shared link begins there.
  async function showOlder() {
    if (isFetchingNextPage) return;
    const { data } = await contacts.fetchNextPage();
    const first = data?.contacts.find(({ id }) => !list.contacts.some((contact) => contact.id === id));
    if (!first) return;
    markPlace(first.submitted_at);
    focusOn(first.id);
  }
  async function showNewer() {
    if (isFetchingPreviousPage) return;
    const { data } = await contacts.fetchPreviousPage();
    if (!data) return;
    markPlace(data.beginsAtTop ? undefined : data.begin);
    if (data.beginsAtTop) focusOn(data.contacts[0]?.id);
  }

  return (
    <>
      {!list.beginsAtTop && (
        // The buttons have `aria-disabled`, because `disabled` would take the focus from them during the request.
        <div className={styles.pager}>
          <Button variant="quiet" aria-disabled={isFetchingPreviousPage} onClick={showNewer}>
            {isFetchingPreviousPage ? inboxMessages.loading : inboxWords.newer}
          </Button>
          <Button variant="quiet" onClick={showNewest}>
            {inboxWords.newest}
          </Button>
        </div>
      )}
      <ContactsTable contacts={list.contacts} view={location.view} busy={busy} />
      <div className={styles.pager}>
        {hasNextPage && (
          <Button variant="quiet" aria-disabled={isFetchingNextPage} onClick={showOlder}>
            {isFetchingNextPage ? inboxMessages.loading : inboxWords.older}
          </Button>
        )}
        {!hasNextPage && <p>{inboxWords.end}</p>}
        <Notice tone="error">{error ? (error.serverMessage ?? inboxMessages.notLoaded) : ""}</Notice>
      </div>
    </>
  );
}

/**
 * Moves the focus to a contact that a button has brought into the list, so that the keyboard goes on from there. The
 * function notes the contact; the focus moves when its row is in the table. A new reading begins at the first contact.
 */
function useFocusOnContact(list: LoadedContacts, reading: number | undefined) {
  const wanted = useRef<string>(undefined);
  const readingBefore = useRef(reading);
  useEffect(() => {
    if (reading !== undefined && readingBefore.current !== reading) {
      if (readingBefore.current !== undefined) wanted.current = list.contacts[0]?.id;
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
