import { useEffect, useRef } from "react";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import styles from "./contacts-list.module.css";
import { ContactsTable } from "./contacts-table";
import type { Contacts, LoadedContacts } from "./use-contacts";
import { markPlace } from "./use-view";
import type { View } from "./view";

/** The loaded contacts, and the buttons to the newer and the older ones. */
export function ContactsList({ contacts, list, view }: { contacts: Contacts; list: LoadedContacts; view: View }) {
  const { error, hasNextPage, hasPreviousPage, isFetchingNextPage, isFetchingPreviousPage } = contacts;
  const end = useRef<HTMLParagraphElement>(null);
  useFocusWhenButtonIsGone(end, hasNextPage || hasPreviousPage);

  // The address notes where the page begins that was read last, so that a reload or a shared link begins there.
  async function showOlder() {
    if (isFetchingNextPage) return;
    const { data } = await contacts.fetchNextPage();
    const first = data?.contacts.find(({ id }) => !list.contacts.some((contact) => contact.id === id));
    if (first) markPlace(first.submitted_at);
  }
  async function showNewer() {
    if (isFetchingPreviousPage) return;
    const { data } = await contacts.fetchPreviousPage();
    if (data) markPlace(data.beginsAtTop ? undefined : data.begin);
  }

  return (
    <>
      {hasPreviousPage && (
        // The buttons have `aria-disabled`, because `disabled` would take the focus from them during the request.
        <div className={styles.pager}>
          <Button variant="quiet" aria-disabled={isFetchingPreviousPage} onClick={showNewer}>
            {isFetchingPreviousPage ? inboxMessages.loading : inboxWords.newer}
          </Button>
        </div>
      )}
      <ContactsTable contacts={list.contacts} view={view} />
      <div className={styles.pager}>
        {hasNextPage && (
          <Button variant="quiet" aria-disabled={isFetchingNextPage} onClick={showOlder}>
            {isFetchingNextPage ? inboxMessages.loading : inboxWords.older}
          </Button>
        )}
        <p ref={end} tabIndex={-1}>
          {hasNextPage ? "" : inboxWords.end}
        </p>
        <Notice tone="error">{error ? (error.serverMessage ?? inboxMessages.notLoaded) : ""}</Notice>
      </div>
    </>
  );
}

/** Moves the focus to the end of the list when the last page is loaded: the button with the focus is then gone. */
function useFocusWhenButtonIsGone(target: { current: HTMLElement | null }, hasMore: boolean) {
  const before = useRef(hasMore);
  useEffect(() => {
    const ended = before.current && !hasMore;
    before.current = hasMore;
    if (ended && document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [target, hasMore]);
}
