import { Suspense, useEffect, useMemo } from "react";
import { inboxWords } from "#content/inbox";
import { lazyContent } from "../../components/popover";
import type { StoredContact } from "../../supabase/read-contacts";
import { DeletionDialog, SelectionBar } from "./changes/contact-actions";
import { InboxCommandsContext, useContactActions } from "./changes/inbox-commands";
import { ChangeAnnouncement, UndoNotice } from "./changes/undo-notice";
import { canUndo, messageOf, useChanges, usePendingChanges, withPending } from "./changes/use-changes";
import { useSelection } from "./changes/use-selection";
import styles from "./contacts-inbox.module.css";
import { useInboxElements } from "./data/inbox-elements";
import { useTeam } from "./data/team";
import { belongsTo, formatView, toFilter } from "./find/inbox-view";
import { useInboxView } from "./find/use-inbox-view";
import type { Shortcuts } from "./keyboard-commands";
import type { ContactsQuery } from "./list/contact-pages";
import { ContactsList } from "./list/contacts-list";
import { useNavigation } from "./list/use-navigation";
import { ContactPanel } from "./panel/contact-panel";
import { UnsavedNotes } from "./panel/note-drafts";
import { useContactKeys } from "./use-contact-keys";

const KeyboardHelp = lazyContent(async () => (await import("./on-demand")).KeyboardHelp);

interface ListAndPanelProps {
  contacts: ContactsQuery;
  /** The contacts that are loaded. */
  loaded: readonly StoredContact[];
  shortcuts: Shortcuts;
}

/** The list with everything that an administrator does with contacts; the open contact is beside it, or in its place. */
export function ListAndPanel({ contacts, loaded, shortcuts }: ListAndPanelProps) {
  const { view } = useInboxView();
  const open = view.contact;
  const { list } = useInboxElements();
  const { changes, notice } = useChanges();
  const { shown, ids } = useShownContacts(contacts, loaded);
  const selection = useSelection(shown, open);
  const { selected } = selection;
  const { hasPreviousPage, hasNextPage } = contacts;
  const beside = [
    notice && messageOf(notice),
    canUndo(notice),
    selected.length,
    hasPreviousPage,
    hasNextPage,
    formatView(view),
  ].join();
  const navigation = useNavigation(contacts, ids, beside);
  const actions = useContactActions({ shown, changes, selection, navigation });
  useContactKeys({ shown, actions, undo: () => changes.undo(), selection, navigation, shortcuts });

  const undoNotice = <UndoNotice notice={notice} />;
  return (
    <InboxCommandsContext {...{ actions, changes, navigation }}>
      <div className={styles.work} data-open={open !== undefined}>
        <section className={styles.list} aria-label={inboxWords.title} tabIndex={-1} ref={list}>
          <UnsavedNotes />
          <ContactsList {...{ contacts, shown, selection }} onFirstNew={navigation.focusRow} />
          {(selected.length > 0 || notice) && (
            <div className={`screen-only ${styles.dock}`}>
              {undoNotice}
              <SelectionBar selection={selection} />
            </div>
          )}
        </section>
        {open !== undefined && <ContactPanel listed={shown.find(({ id }) => id === open)} undoNotice={undoNotice} />}
        <ChangeAnnouncement notice={notice} selected={selected.length} />
        <DeletionDialog {...actions.deletion} />
        <Suspense>
          {shortcuts.isHelpOpen && <KeyboardHelp shortcuts={shortcuts} onClose={shortcuts.closeHelp} />}
        </Suspense>
      </div>
    </InboxCommandsContext>
  );
}

/** Below this number of rows, another page is read, so that the list does not run empty while it is worked through. */
const rowsMin = 5;

/** The contacts of the view as they will be when all changes are carried out. */
function useShownContacts(contacts: ContactsQuery, loaded: readonly StoredContact[]) {
  const { view } = useInboxView();
  const pending = usePendingChanges();
  const team = useTeam();
  const { isPlaceholderData, fetchNextPage } = contacts;
  const shown = useMemo(() => {
    const filter = toFilter(view);
    // The list of the view before stays until the new one is there.
    return withPending(loaded, pending).filter((one) => isPlaceholderData || belongsTo(filter, one, team));
  }, [view, isPlaceholderData, loaded, pending, team]);
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);

  const runsOut = shown.length < rowsMin && contacts.hasNextPage && !contacts.isFetching && !contacts.error;
  useEffect(() => {
    if (runsOut) fetchNextPage();
  }, [runsOut, fetchNextPage]);
  return { shown, ids };
}
