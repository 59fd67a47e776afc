import type { MouseEvent } from "react";
import { workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { ConfirmDialog } from "../../../components/confirm-dialog";
import { lazyContent, Popover } from "../../../components/popover";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import { useInboxElements } from "../data/inbox-elements";
import { useTeam } from "../data/team";
import styles from "./contact-actions.module.css";
import type { ContactActions } from "./inbox-commands";
import { useInboxCommands } from "./inbox-commands";
import { areAll } from "./use-changes";
import type { Selection } from "./use-selection";

export const HandlerChoices = lazyContent(async () => (await import("../on-demand")).HandlerChoices);

const { actions: labels, deletion, selection: text } = workWords;

/** Deletion has a button of its own. */
type OfferedState = Exclude<ContactState, "deleted">;

/**
 * Spam and deleted contacts can only become new ones, so that a person looks at them before they count as handled. "Reopen"
 * is offered only if no contact is new, because not more than four buttons fit side by side on a phone.
 */
export function offeredStates(contacts: readonly StoredContact[]): OfferedState[] {
  if (areAll("spam", contacts) || areAll("deleted", contacts)) return ["new"];
  const states = ["handled", "new", "archived", "spam"] as const;
  return states.filter((state) =>
    state === "new"
      ? contacts.every((contact) => contact.state !== state)
      : contacts.some((contact) => contact.state !== state),
  );
}

/** The one that is a touch away: to archive, or to take a contact back. */
export function nearestState(contact: StoredContact): OfferedState {
  return offeredStates([contact]).includes("archived") ? "archived" : "new";
}

/** The label of the button that gives contacts this state. */
export function labelOfState(state: OfferedState, contacts: readonly StoredContact[]): string {
  if (state !== "new") return labels[state];
  return areAll("spam", contacts) ? labels.notSpam : areAll("deleted", contacts) ? labels.restore : labels.new;
}

/**
 * The second click of a double click would change the next contact, which has taken the place of the first one. Quick
 * taps on a touch screen are meant.
 */
export const isFirstClick = ({ detail, nativeEvent }: MouseEvent) =>
  detail < 2 || ("pointerType" in nativeEvent && nativeEvent.pointerType === "touch");

/** Asks before several contacts are deleted. */
export function DeletionDialog({ contacts, confirm, close }: ContactActions["deletion"]) {
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
export function SelectionBar({ selection }: { selection: Selection }) {
  const { selected } = selection;
  const { actions } = useInboxCommands();
  const { assignSelected } = useInboxElements();
  const { isShared } = useTeam();
  if (selected.length === 0) return null;
  return (
    <section className={`row ${styles.bar}`} aria-label={text.actions}>
      <div className={styles.count}>
        <p>{text.count(selected.length)}</p>
        {!selection.isWhole && (
          <Button variant="plain" onClick={selection.toggleAll}>
            {text.all}
          </Button>
        )}
        <Button variant="plain" onClick={selection.clear}>
          {text.clear}
        </Button>
      </div>
      {offeredStates(selected).map((state) => (
        <Button
          key={state}
          variant="tool"
          onClick={(event) => isFirstClick(event) && actions.changeState(selected, state)}
        >
          {labelOfState(state, selected)}
        </Button>
      ))}
      {isShared && (
        <Popover opener={assignSelected} button={workWords.handler.assign} label={workWords.handler.label}>
          <HandlerChoices contacts={selected} />
        </Popover>
      )}
      {!areAll("deleted", selected) && (
        <Button
          variant="tool"
          data-danger
          onClick={(event) => isFirstClick(event) && actions.requestDeletion(selected)}
        >
          {labels.delete}
        </Button>
      )}
    </section>
  );
}
