import { useEffect, useMemo, useRef, useState } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { Button } from "../../components/button";
import type { StoredContact } from "../../supabase/read-contacts";
import { ContactActions, DeletionDialog, SelectionBar } from "./changes/contact-actions";
import { type PendingChange, withPending } from "./changes/contact-changes";
import { ChangeAnnouncement, UndoNotice } from "./changes/undo-notice";
import { useChanges, useContactActions, useContactKeys } from "./changes/use-contact-actions";
import { useSelection } from "./changes/use-selection";
import { toFilter } from "./find/inbox-view";
import { useInboxView } from "./find/use-inbox-view";
import { useShortcuts } from "./keyboard/keyboard-commands";
import { KeyboardHelp } from "./keyboard/keyboard-help";
import { useNavigation } from "./keyboard/use-navigation";
import { ContactsList } from "./list/contacts-list";
import { ScrollAnchor } from "./list/scroll-anchor";
import type { ContactsQuery, LoadedContacts } from "./list/use-contacts";
import styles from "./list-and-panel.module.css";
import { ContactPanel } from "./panel/contact-panel";
import { UnsavedNotes } from "./panel/note-drafts";
import { useAdmin } from "./require-admin";

interface ListAndPanelProps {
  contacts: ContactsQuery;
  list: LoadedContacts;
  /** The list is being replaced by another one. */
  busy: boolean;
}

/** The list with everything that an administrator does with contacts; the open contact is beside it, or in its place. */
export function ListAndPanel({ contacts, list, busy }: ListAndPanelProps) {
  const { view } = useInboxView();
  const { data: user } = useAdmin();
  const root = useRef<HTMLDivElement>(null);
  const [needsHelp, setNeedsHelp] = useState(false);
  const shortcuts = useShortcuts();
  const openHelp = () => setNeedsHelp(true);
  const { changes, pending, notice } = useChanges();
  const { shown, ids } = useShownContacts(contacts, list, pending);
  const selection = useSelection(ids, view.contact);
  const selected = shown.filter(({ id }) => selection.has(id));
  const { hasPreviousPage, hasNextPage } = contacts;
  const beside = [notice?.message, notice?.canUndo, selected.length, hasPreviousPage, hasNextPage].join();
  const navigation = useNavigation(root, contacts, ids, beside);
  const parts = { shown, pending, changes, selection, navigation };
  const actions = useContactActions(parts);
  const { deletion } = actions;
  useContactKeys(parts, actions, { enabled: shortcuts.enabled, openHelp });

  const undoNotice = <UndoNotice notice={notice} changes={changes} />;
  const buttonsFor = (targets: readonly StoredContact[], label: string) => (
    <ContactActions
      contacts={targets}
      label={label}
      onState={(state) => actions.changeState(targets, state)}
      onDelete={() => actions.requestDeletion(targets)}
    />
  );
  return (
    <div ref={root} className={styles.work} data-open={view.contact !== undefined}>
      <section className={styles.list} aria-label={inboxWords.title} tabIndex={-1} data-contacts>
        {user && <UnsavedNotes userId={user.id} />}
        <ContactsList {...{ contacts, shown, selection, busy }} onFirstNew={navigation.focusRow} />
        <div className={styles.help}>
          <Button variant="plain" onClick={openHelp}>
            {workWords.shortcuts.open}
          </Button>
        </div>
        {(selected.length > 0 || notice) && (
          <div className={styles.dock}>
            {undoNotice}
            <SelectionBar selection={selection}>{buttonsFor(selected, workWords.selection.actions)}</SelectionBar>
          </div>
        )}
      </section>
      <ScrollAnchor open={view.contact} />
      {view.contact !== undefined && user && (
        <ContactPanel
          id={view.contact}
          userId={user.id}
          listed={shown.find(({ id }) => id === view.contact)}
          pending={pending}
          navigation={navigation}
          renderBar={(contact) => (
            <>
              <div className={styles.onlyInPanel}>{undoNotice}</div>
              {contact && buttonsFor([contact], workWords.panel.actions)}
            </>
          )}
        />
      )}
      <ChangeAnnouncement notice={notice} selected={selected.length} />
      <DeletionDialog {...deletion} />
      {needsHelp && <KeyboardHelp shortcuts={shortcuts} onClose={() => setNeedsHelp(false)} />}
    </div>
  );
}

/** Below this number of rows, another page is read, so that the list does not run empty while it is worked through. */
const rowsMin = 5;

/** The contacts of the view as they will be when all changes are carried out. */
function useShownContacts(contacts: ContactsQuery, list: LoadedContacts, pending: readonly PendingChange[]) {
  const { view } = useInboxView();
  const { isPlaceholderData, fetchNextPage } = contacts;
  const shown = useMemo(() => {
    const { states } = toFilter(view);
    // The list of the view before stays until the new one is there.
    return withPending(list.contacts, pending).filter(({ state }) => isPlaceholderData || states.includes(state));
  }, [view, isPlaceholderData, list, pending]);
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);

  const runsOut = shown.length < rowsMin && contacts.hasNextPage && !contacts.isFetching && !contacts.error;
  useEffect(() => {
    if (runsOut) fetchNextPage();
  }, [runsOut, fetchNextPage]);
  return { shown, ids };
}
