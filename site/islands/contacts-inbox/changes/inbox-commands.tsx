import { createContext, type ReactNode, useContext, useState } from "react";
import type { Change } from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import { useTeam } from "../data/team";
import { belongsTo, toFilter } from "../find/inbox-view";
import { useInboxView } from "../find/use-inbox-view";
import type { Changes } from "./use-changes";
import type { Selection } from "./use-selection";

/** Opens and closes contacts, and moves from one to the next. */
export interface Navigation {
  /** Opens the next contact (1) or the one before (-1), or focuses its row while none is open. */
  move: (step: 1 | -1) => void;
  /** Whether the list has a contact before and after the open one. */
  canMove: { previous: boolean; next: boolean };
  close: () => void;
  /** Before contacts leave the list: the panel goes on to the next contact that stays, or closes after the last one. */
  leave: (ids: readonly string[]) => void;
}

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
  };
}

/** What buttons, rows and keys can do. */
interface InboxCommands {
  actions: ContactActions;
  changes: Changes;
  navigation: Navigation;
}

const Commands = createContext<InboxCommands | undefined>(undefined);

export function InboxCommandsContext({ children, ...commands }: InboxCommands & { children: ReactNode }) {
  return <Commands value={commands}>{children}</Commands>;
}

export function useInboxCommands(): InboxCommands {
  const commands = useContext(Commands);
  if (!commands) throw new Error("This part of the inbox is outside of InboxCommandsContext.");
  return commands;
}
