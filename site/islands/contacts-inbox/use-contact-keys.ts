import { useQueryClient } from "@tanstack/react-query";
import type { StoredContact } from "../../supabase/read-contacts";
import type { ContactActions, Navigation } from "./changes/inbox-commands";
import { usePendingChanges, withPending } from "./changes/use-changes";
import type { Selection } from "./changes/use-selection";
import { useInboxElements } from "./data/inbox-elements";
import { contactQuery } from "./data/query-cache";
import { useTeam } from "./data/team";
import { useInboxView } from "./find/use-inbox-view";
import { fields, type Shortcuts, useKeyboardCommands } from "./keyboard-commands";
import { focusedContact } from "./list/use-navigation";

interface Parts {
  shown: readonly StoredContact[];
  actions: ContactActions;
  undo: () => void;
  selection: Selection;
  navigation: Navigation;
  shortcuts: Shortcuts;
}

/** What the keys do (docs/specification.md#keyboard). */
export function useContactKeys({ shown, actions, undo, selection, navigation, shortcuts }: Parts) {
  const { view } = useInboxView();
  const { isShared, me } = useTeam();
  const queries = useQueryClient();
  const pending = usePendingChanges();
  const { search, panel, heading, assignSelected, assignOpen } = useInboxElements();
  const { changeState, assign, requestDeletion } = actions;

  /** The selected contacts if there are any, else the open one, else the one whose row has the focus. */
  function targets(): readonly StoredContact[] {
    if (selection.selected.length > 0) return selection.selected;
    if (!view.contact) return shown.filter(({ id }) => id === focusedContact());
    // The open contact need not be in the list.
    const listed = shown.find(({ id }) => id === view.contact);
    const opened = queries.getQueryData(contactQuery(view.contact).queryKey) ?? listed;
    return opened ? withPending([opened], pending) : [];
  }

  function openHandlers() {
    if (!isShared) return;
    if (selection.selected.length === 0 && !view.contact) selection.toggle(focusedContact());
    // The bar of the selection is there after the next drawing.
    requestAnimationFrame(() => (assignSelected.current ?? assignOpen.current)?.click());
  }

  /** Moves the focus from a field of the panel to its heading; false if no field has it. */
  function leaveField(): boolean {
    if (!document.activeElement?.matches(fields)) return false;
    heading.current?.focus();
    return true;
  }

  useKeyboardCommands(shortcuts.enabled, panel, (command) => {
    switch (command) {
      case "next":
        return navigation.move(1);
      case "previous":
        return navigation.move(-1);
      case "select":
        return selection.toggle(focusedContact());
      case "spam":
        return changeState(targets(), targets().every(({ state }) => state === "spam") ? "new" : "spam");
      case "take":
        return isShared && assign(targets(), targets().every((one) => one.handled_by === me) ? null : me);
      case "give":
        return openHandlers();
      case "delete":
        return requestDeletion(targets());
      case "undo":
        return undo();
      case "search":
        search.current?.focus();
        return search.current?.select();
      case "help":
        return shortcuts.openHelp();
      case "close":
        if (leaveField()) return;
        return view.contact ? navigation.close() : selection.clear();
      default:
        return changeState(targets(), command);
    }
  });
}
