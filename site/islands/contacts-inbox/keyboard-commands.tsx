import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { withStorage } from "../../supabase/browser-storage";

/** The keys (docs/specification.md#keyboard). Enter is not here: it follows the link that has the focus. */
const commands = {
  j: "next",
  k: "previous",
  x: "select",
  e: "handled",
  a: "archived",
  u: "new",
  t: "take",
  g: "give",
  "!": "spam",
  "#": "delete",
  z: "undo",
  "/": "search",
  "?": "help",
  Escape: "close",
} as const;

type KeyboardCommand = (typeof commands)[keyof typeof commands];

interface Key
  extends Pick<
    KeyboardEvent,
    "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing" | "defaultPrevented"
  > {
  getModifierState: (key: "AltGraph") => boolean;
}

/**
 * Calls `run` for key presses that are commands: not while typing, and not while a dialog or popover is open. Escape works always, also where
 * the others are not enabled, and leaves a field first.
 */
export function useKeyboardCommands(
  enabled: boolean,
  panel: RefObject<HTMLElement | null>,
  run: (command: KeyboardCommand) => void,
) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const command = commandOf(event);
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    // The browser closes what is open.
    const isBehind = document.querySelector("dialog:modal, [popover=auto]:popover-open");
    if (!command || isBehind || (!enabled && command !== "close")) return;
    if (target.matches(fields)) {
      if (command !== "close" || !panel.current?.contains(target) || target.matches("select")) return;
    }
    event.preventDefault();
    run(command);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

/** The command of a key press outside of fields and dialogs. */
export function commandOf(event: Key): KeyboardCommand | undefined {
  // On some keyboards "#" needs AltGr, which Windows reports as Ctrl and Alt.
  const isAltGraph = event.getModifierState("AltGraph");
  if ((event.ctrlKey || event.altKey) && !isAltGraph) return undefined;
  if (event.metaKey || event.isComposing || event.defaultPrevented) return undefined;
  const key = event.shiftKey || event.key.length > 1 ? event.key : event.key.toLowerCase();
  const command = Object.hasOwn(commands, key) ? commands[key as keyof typeof commands] : undefined;
  // A key that is held down moves on, but does not change one contact after the other.
  return event.repeat && command !== "next" && command !== "previous" ? undefined : command;
}

/** The elements that use letter keys themselves, to type or to choose an option. */
export const fields = "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])";

const storedKey = "inbox-shortcuts";

/** Whether single keys are commands, which this browser remembers, and whether the help about them is open. */
export function useShortcuts() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [enabled, setEnabled] = useState(
    () => withStorage("localStorage", (storage) => storage.getItem(storedKey)) !== "off",
  );
  function choose(next: boolean) {
    setEnabled(next);
    withStorage("localStorage", (storage) => storage.setItem(storedKey, next ? "on" : "off"));
  }
  return { enabled, choose, isHelpOpen, openHelp: () => setHelpOpen(true), closeHelp: () => setHelpOpen(false) };
}

export type Shortcuts = ReturnType<typeof useShortcuts>;
