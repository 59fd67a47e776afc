import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { withStorage } from "../../../supabase/browser-storage";
import { commandOf, fields, type KeyboardCommand } from "./keyboard-commands";

const storedKey = "inbox-shortcuts";
const listeners = new Set<() => void>();
/** For a browser whose storage is switched off. */
let chosen: boolean | undefined;

/** Whether single keys are commands. The choice is kept in this browser. */
export function useShortcuts(): boolean {
  return useSyncExternalStore(subscribe, read, () => false);
}

export function setShortcuts(enabled: boolean) {
  chosen = enabled;
  withStorage("localStorage", (storage) => storage.setItem(storedKey, enabled ? "on" : "off"));
  for (const listener of listeners) listener();
}

/**
 * Calls `run` for key presses that are commands: not while typing, and not in a dialog. Escape works always, and leaves
 * a field first.
 */
export function useKeyboardCommands(run: (command: KeyboardCommand) => void) {
  const enabled = useShortcuts();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const command = commandOf(event);
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (!command || document.querySelector("dialog:modal") || (!enabled && command !== "close")) return;
    if (target.matches(fields)) {
      if (command !== "close" || !target.closest("[data-contact-panel]") || target.matches("select")) return;
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

function read(): boolean {
  return chosen ?? withStorage("localStorage", (storage) => storage.getItem(storedKey)) !== "off";
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
