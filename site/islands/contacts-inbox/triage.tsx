import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { workWords } from "#content/contact-work";
import { inboxWords } from "#content/inbox";
import { Button } from "../../components/button";
import checkbox from "../../components/checkbox.module.css";
import type { StoredContact } from "../../supabase/read-contacts";
import type { User } from "../../supabase/session";
import { ContactActions, DeletionDialog, SelectionBar } from "./changes/contact-actions";
import { ChangeAnnouncement, UndoNotice } from "./changes/undo-notice";
import { useView } from "./find/use-view";
import { KeyboardHelp } from "./keyboard/keyboard-help";
import type { ContactsTableProps } from "./list/contacts-table";
import { ScrollAnchor } from "./list/scroll-anchor";
import type { ContactsQuery, LoadedContacts } from "./list/use-contacts";
import { ContactPanel } from "./panel/contact-panel";
import { UnsavedNotes } from "./panel/unsaved-notes";
import { roleKey } from "./query-keys";
import styles from "./triage.module.css";
import { useTriage } from "./use-triage";

interface TriageProps {
  contacts: ContactsQuery;
  list: LoadedContacts;
  /** The list is being replaced by another one. */
  busy: boolean;
  /** The list, with what its table needs to know. */
  children: (table: ContactsTableProps) => ReactNode;
}

/** The list with everything that an administrator does with contacts; the open contact is beside it, or in its place. */
export function Triage({ contacts, list, busy, children }: TriageProps) {
  const { view } = useView();
  const work = useTriage(contacts, list, view);
  const { shown, selected, selection, notice, changes } = work;
  const { data: user } = useQuery<User>({ queryKey: roleKey, enabled: false });

  const undoNotice = <UndoNotice notice={notice} changes={changes} />;
  const actionsFor = (targets: readonly StoredContact[], label: string) => (
    <ContactActions
      contacts={targets}
      label={label}
      onState={(state) => work.changeState(targets, state)}
      onDelete={() => work.requestDeletion(targets)}
    />
  );
  return (
    <div ref={work.root} className={styles.work} data-open={view.contact !== undefined}>
      <section className={styles.list} aria-label={inboxWords.title} tabIndex={-1} data-contacts>
        {user && <UnsavedNotes userId={user.id} />}
        {children({
          contacts: shown,
          busy,
          selectAll: (
            <label className={styles.select}>
              <input
                type="checkbox"
                className={checkbox.checkbox}
                aria-label={workWords.selection.all}
                checked={selected.length === shown.length}
                onChange={selection.toggleAll}
              />
            </label>
          ),
          renderSelect: ({ id, name }) => (
            <label className={styles.select}>
              <input
                type="checkbox"
                className={checkbox.checkbox}
                aria-label={workWords.selection.one(name)}
                checked={selection.has(id)}
                onChange={({ nativeEvent }) =>
                  selection.toggle(id, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)
                }
              />
            </label>
          ),
        })}
        <div className={styles.help}>
          <Button variant="plain" onClick={work.help.open}>
            {workWords.shortcuts.open}
          </Button>
        </div>
        {(selected.length > 0 || notice) && (
          <div className={styles.dock}>
            {undoNotice}
            {selected.length > 0 && (
              <SelectionBar
                count={selected.length}
                onAll={selected.length < shown.length ? selection.toggleAll : undefined}
                onClear={selection.clear}
              >
                {actionsFor(selected, workWords.selection.actions)}
              </SelectionBar>
            )}
          </div>
        )}
      </section>
      <ScrollAnchor open={view.contact} />
      {view.contact !== undefined && user && (
        <ContactPanel
          id={view.contact}
          userId={user.id}
          work={work}
          renderBar={(contact) => (
            <>
              <div className={styles.onlyInPanel}>{undoNotice}</div>
              {contact && actionsFor([contact], workWords.panel.actions)}
            </>
          )}
        />
      )}
      <ChangeAnnouncement notice={notice} selected={selected.length} />
      {work.deletion.contacts.length > 0 && (
        <DeletionDialog
          count={work.deletion.contacts.length}
          onConfirm={work.deletion.confirm}
          onClose={work.deletion.close}
        />
      )}
      {work.help.isOpen && <KeyboardHelp onClose={work.help.close} />}
    </div>
  );
}
