import type { MouseEvent, ReactNode } from "react";
import { workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { ConfirmDialog } from "../../../components/confirm-dialog";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import styles from "./contact-actions.module.css";
import type { Selection } from "./use-selection";

const { actions, deletion, selection: text } = workWords;

interface ContactActionsProps {
  contacts: readonly StoredContact[];
  /** Names the group for assistive technology. */
  label: string;
  onState: (state: ContactState) => void;
  onDelete: () => void;
}

/** The buttons that change these contacts: the states that they are not in, and the deletion. */
export function ContactActions({ contacts, label, onState, onDelete }: ContactActionsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the group is no part of a form, which a fieldset would need
    <div className={styles.actions} role="group" aria-label={label}>
      {offeredStates(contacts).map((state) => (
        <Button key={state} variant="tool" onClick={(event) => isFirstClick(event) && onState(state)}>
          {state === "new" && contacts.every(isSpam) ? actions.notSpam : actions[state]}
        </Button>
      ))}
      <Button variant="tool" data-danger onClick={(event) => isFirstClick(event) && onDelete()}>
        {actions.delete}
      </Button>
    </div>
  );
}

/**
 * Spam can only become a new contact, so that it is looked at before it counts as handled. "Reopen" is there if no
 * contact is new: with some that are, it is rarely meant, and four buttons fit side by side on a phone.
 */
function offeredStates(contacts: readonly StoredContact[]): ContactState[] {
  if (contacts.every(isSpam)) return ["new"];
  const states = ["handled", "new", "archived", "spam"] as const;
  return states.filter((state) =>
    state === "new"
      ? contacts.every((contact) => contact.state !== state)
      : contacts.some((contact) => contact.state !== state),
  );
}

/**
 * The second click of a double click would change the contact that has come into the place of the first one. A thumb
 * does not click double by habit.
 */
const isFirstClick = ({ detail, nativeEvent }: MouseEvent) =>
  detail < 2 || ("pointerType" in nativeEvent && nativeEvent.pointerType === "touch");

const isSpam = ({ state }: StoredContact) => state === "spam";

interface DeletionDialogProps {
  contacts: readonly StoredContact[];
  confirm: () => void;
  close: () => void;
}

/** Asks before several contacts are deleted. */
export function DeletionDialog({ contacts, confirm, close }: DeletionDialogProps) {
  if (contacts.length === 0) return null;
  return (
    <ConfirmDialog
      title={deletion.title(contacts.length)}
      cancel={deletion.cancel}
      confirm={deletion.confirm(contacts.length)}
      onConfirm={confirm}
      onClose={close}
    >
      <p>{deletion.text}</p>
    </ConfirmDialog>
  );
}

/** How many contacts are selected, and what can be done with them. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  if (selection.selected.length === 0) return null;
  return (
    <section className={styles.bar} aria-label={text.actions}>
      <div className={styles.count}>
        <p>{text.count(selection.selected.length)}</p>
        {!selection.isWhole && (
          <Button variant="plain" onClick={selection.toggleAll}>
            {text.all}
          </Button>
        )}
        <Button variant="plain" onClick={selection.clear}>
          {text.clear}
        </Button>
      </div>
      {children}
    </section>
  );
}
