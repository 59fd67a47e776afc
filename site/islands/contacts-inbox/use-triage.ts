import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ContactState, StoredContact } from "../../supabase/read-contacts";
import { contactQuery } from "./changes/contact-cache";
import { withPending } from "./changes/contact-changes";
import { useChanges } from "./changes/use-changes";
import { useSelection } from "./changes/use-selection";
import { changeView } from "./find/use-view";
import { toFilter, type View } from "./find/view";
import type { KeyboardCommand } from "./keyboard/keyboard-commands";
import { nearest, useRowFocus } from "./keyboard/use-row-focus";
import { useKeyboardCommands } from "./keyboard/use-shortcuts";
import type { ContactsQuery, LoadedContacts } from "./list/use-contacts";
import { showNewer, showOlder } from "./list/use-contacts";

/** Below this number of rows, another page is read, so that the list does not run empty while it is worked through. */
const rowsMin = 5;

/** Opens, selects and changes contacts, by pointer or keyboard (docs/specification.md#working-through-contacts). */
export function useTriage(contacts: ContactsQuery, list: LoadedContacts, view: View) {
  const root = useRef<HTMLDivElement>(null);
  const queries = useQueryClient();
  const { changes, pending, notice } = useChanges();
  /** The contacts that wait for the answer to the question whether to delete them. */
  const [deleting, setDeleting] = useState<readonly StoredContact[]>([]);
  const [needsHelp, setNeedsHelp] = useState(false);

  const { states } = toFilter(view);
  // The list of the view before stays until the new one is there.
  const belongs = ({ state }: StoredContact) => contacts.isPlaceholderData || states.includes(state);
  const shown = withPending(list.contacts, pending).filter(belongs);
  const ids = shown.map(({ id }) => id);
  const selection = useSelection(ids);
  const selected = shown.filter(({ id }) => selection.selected.includes(id));
  const focus = useRowFocus(root, ids, view.contact);
  const position = ids.indexOf(view.contact ?? "");
  /** The contact from which to go on as soon as the next page is there. */
  const moving = useRef<{ from: string; step: 1 | -1 }>(undefined);

  const runsOut = shown.length < rowsMin && contacts.hasNextPage && !contacts.isFetching && !contacts.error;
  useEffect(() => {
    if (runsOut) contacts.fetchNextPage();
  }, [runsOut, contacts.fetchNextPage]);

  // What is not seen must not be changed: on a narrow screen the open contact hides the list.
  const clearSelection = selection.clear;
  useEffect(() => {
    if (view.contact) clearSelection();
  }, [view.contact, clearSelection]);

  const open = (id: string) => changeView({ contact: id });
  const close = () => changeView({ contact: undefined });

  function changeState(targets: readonly StoredContact[], state: ContactState) {
    if (targets.length === 0) return;
    if (!states.includes(state)) leave(targets);
    changes.changeState(targets, state);
    selection.clear();
  }

  function remove(targets: readonly StoredContact[]) {
    leave(targets);
    if (position < 0 && targets.some(({ id }) => id === view.contact)) close();
    changes.delete(targets);
    selection.clear();
  }

  /** The panel goes on to the next contact that stays in the list, and closes after the last one. */
  function leave(targets: readonly StoredContact[]) {
    const leaving = targets.map(({ id }) => id);
    focus.anchor(leaving[0]);
    if (position < 0 || !leaving.includes(view.contact ?? "")) return;
    const staying = ids.filter((id) => !leaving.includes(id));
    changeView({ contact: nearest(view.contact, ids, staying) }, { replace: true });
  }

  /** One contact is deleted at once, because it can be undone; several only after a question. */
  function requestDeletion(targets: readonly StoredContact[]) {
    if (targets.length > 1) setDeleting(targets);
    else if (targets.length === 1) remove(targets);
  }

  /** The selected contacts if there are any, else the open one, else the one whose row has the focus. */
  function current(): readonly StoredContact[] {
    if (selected.length > 0) return selected;
    if (!view.contact) return shown.filter(({ id }) => id === focus.currentId());
    // The open contact need not be in the list.
    const opened = queries.getQueryData(contactQuery(view.contact).queryKey) ?? shown[position];
    return opened ? withPending([opened], pending) : [];
  }

  const goTo = view.contact ? open : focus.focusRow;
  const neighbourOf = (id: string, step: 1 | -1) => (ids.includes(id) ? ids[ids.indexOf(id) + step] : undefined);

  /** Opens the next contact (1) or the one before (-1), or focuses its row while none is open. */
  function move(step: 1 | -1) {
    const from = view.contact ?? focus.place() ?? "";
    const isListed = ids.includes(from);
    const target = isListed || view.contact ? neighbourOf(from, step) : ids[0];
    if (target) return goTo(target);
    if (!isListed) return;
    moving.current = { from, step };
    (step > 0 ? showOlder : showNewer)(contacts);
  }

  useEffect(() => {
    if (!moving.current) return;
    const { from, step } = moving.current;
    const isThere = from === (view.contact ?? focus.currentId());
    const target = neighbourOf(from, step);
    if (isThere && !target && contacts.isFetching) return;
    moving.current = undefined;
    if (isThere && target) goTo(target);
  });

  useKeyboardCommands((command: KeyboardCommand) => {
    switch (command) {
      case "next":
        return move(1);
      case "previous":
        return move(-1);
      case "select":
        return selection.toggle(focus.currentId());
      case "spam":
        return changeState(current(), current().every(({ state }) => state === "spam") ? "new" : "spam");
      case "delete":
        return requestDeletion(current());
      case "undo":
        return changes.undo();
      case "search":
        return focusSearch();
      case "help":
        return setNeedsHelp(true);
      case "close":
        if (focus.leaveField()) return;
        return view.contact ? close() : selection.clear();
      default:
        return changeState(current(), command);
    }
  });

  return {
    root,
    shown,
    selected,
    selection,
    pending,
    notice,
    changes,
    /** Whether the list has a contact before and after the open one. */
    canMove: {
      previous: position > 0 || (position === 0 && contacts.hasPreviousPage),
      next: position >= 0 && (position < ids.length - 1 || contacts.hasNextPage),
    },
    move,
    /** The open contact as the list has it; undefined if the list does not contain it. */
    listed: shown[position],
    close,
    changeState,
    requestDeletion,
    deletion: { contacts: deleting, confirm: () => remove(deleting), close: () => setDeleting([]) },
    help: { isOpen: needsHelp, open: () => setNeedsHelp(true), close: () => setNeedsHelp(false) },
  };
}

export type TriageWork = ReturnType<typeof useTriage>;

function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  field?.select();
}
