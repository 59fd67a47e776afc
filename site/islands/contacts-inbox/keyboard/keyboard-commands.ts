export type KeyboardCommand =
  | "next"
  | "previous"
  | "select"
  | "handled"
  | "archived"
  | "new"
  | "spam"
  | "delete"
  | "undo"
  | "search"
  | "help"
  | "close";

/** The keys (docs/specification.md#keyboard). Enter is not here: it follows the link that has the focus. */
const commands: Readonly<Record<string, KeyboardCommand>> = {
  j: "next",
  k: "previous",
  x: "select",
  e: "handled",
  a: "archived",
  u: "new",
  "!": "spam",
  "#": "delete",
  z: "undo",
  "/": "search",
  "?": "help",
  Escape: "close",
};

interface Key
  extends Pick<
    KeyboardEvent,
    "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing" | "defaultPrevented"
  > {
  getModifierState: (key: "AltGraph") => boolean;
}

/** The command of a key press outside of fields and dialogs. */
export function commandOf(event: Key): KeyboardCommand | undefined {
  // On some keyboards "#" needs AltGr, which Windows reports as Ctrl and Alt.
  const isAltGraph = event.getModifierState("AltGraph");
  if ((event.ctrlKey || event.altKey) && !isAltGraph) return undefined;
  if (event.metaKey || event.isComposing || event.defaultPrevented) return undefined;
  const key = event.shiftKey || event.key.length > 1 ? event.key : event.key.toLowerCase();
  const command = Object.hasOwn(commands, key) ? commands[key] : undefined;
  // A key that is held down moves on, but does not change one contact after the other.
  return event.repeat && command !== "next" && command !== "previous" ? undefined : command;
}

/** Where a key press belongs to the element itself: what is typed there, or letters that choose an option. */
export const fields = "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])";
