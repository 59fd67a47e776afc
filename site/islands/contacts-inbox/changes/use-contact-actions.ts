import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Change } from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import { belongsTo, toFilter } from "../find/inbox-view";
import { useInboxView } from "../find/use-inbox-view";
import { useKeyboardCommands } from "../keyboard-commands";
import type { Navigation } from "../list/use-navigation";
import { focusedContact, leaveField } from "../list/use-row-focus";
import { contactQuery } from "../query-cache";
import { useTeam } from "../team";
import { type Changes, usePendingChanges, withPending } from "./use-changes";
import type { Selection } from "./use-selection";

interface Parts {
  shown: readonly StoredContact[];
  changes: Changes;
  selection: Selection;
  navigation: Navigation;
}

export type ContactActions = ReturnType<typeof useContactActions>;

/** What an administrator does with contacts, by pointer or keyboard (docs/specification.md#working-through-contacts). */
export function useContactActions({ shown, changes, selection, navigation }: Parts) {
  const { view } = useInboxView();
  const queries = useQueryClient();
  const pending = usePendingChanges();
  const team = useTeam();
  /** The contacts that wait for the answer to the question whether to delete them. */
  const [deleting, setDeleting] = useState<readonly StoredContact[]>([]);
  const listed = shown.find(({ id }) => id === view.contact);

  /** Lets the panel and the focus go on from contacts that a change takes out of the view. */
  function leave(targets: readonly StoredContact[], change: Change) {
    const leaving = targets.filter((one) => !belongsTo(toFilter(view), { ...one, ...change }, team));
    if (leaving.length > 0) navigation.leave(leaving.map(({ id }) => id));
  }

  function changeState(targets: readonly StoredContact[], state: ContactState) {
    if (targets.length === 0) return;
    leave(targets, { state });
    if (state === "deleted" && !listed && targets.some(({ id }) => id === view.contact)) navigation.close();
    changes.changeState(targets, state);
    selection.clear();
  }

  function assign(targets: readonly StoredContact[], handler: string | null) {
    leave(targets, { handled_by: handler });
    changes.assign(targets, handler, team.nameOf(handler));
    selection.clear();
  }

  return {
    changeState,
    assign,

    /** One contact is deleted at once; several only after a question. */
    requestDeletion(targets: readonly StoredContact[]) {
      const stored = targets.filter(({ state }) => state !== "deleted");
      if (stored.length > 1) setDeleting(stored);
      else changeState(stored, "deleted");
    },
    deletion: { contacts: deleting, confirm: () => changeState(deleting, "deleted"), close: () => setDeleting([]) },

    /** The selected contacts if there are any, else the open one, else the one whose row has the focus. */
    targets(): readonly StoredContact[] {
      if (selection.selected.length > 0) return selection.selected;
      if (!view.contact) return shown.filter(({ id }) => id === focusedContact());
      // The open contact need not be in the list.
      const opened = queries.getQueryData(contactQuery(view.contact).queryKey) ?? listed;
      return opened ? withPending([opened], pending) : [];
    },
  };
}

/** What the keys do (docs/specification.md#keyboard). */
export function useContactKeys(
  { changes, selection, navigation }: Parts,
  { targets, changeState, assign, requestDeletion }: ContactActions,
  { enabled, openHelp }: { enabled: boolean; openHelp: () => void },
) {
  const { view } = useInboxView();
  const { isShared, me } = useTeam();
  useKeyboardCommands(enabled, (command) => {
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
        if (!isShared) return;
        if (selection.selected.length === 0 && !view.contact) selection.toggle(focusedContact());
        return requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-assign]")?.click());
      case "delete":
        return requestDeletion(targets());
      case "undo":
        return changes.undo();
      case "search":
        return focusSearch();
      case "help":
        return openHelp();
      case "close":
        if (leaveField()) return;
        return view.contact ? navigation.close() : selection.clear();
      default:
        return changeState(targets(), command);
    }
  });
}

function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  field?.select();
}
