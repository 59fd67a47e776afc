import { createContext, type ReactNode, useContext } from "react";
import type { Changes } from "./use-changes";
import type { ContactActions, Navigation } from "./use-contact-actions";

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
