import { type RefObject, useEffect } from "react";

/**
 * Moves the focus to a message when it appears. The same text counts as a new message if it was empty in between or if
 * `version` has changed.
 */
export function useFocusOn(element: RefObject<HTMLElement | null>, message: string, version?: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version runs the effect again
  useEffect(() => {
    if (message) element.current?.focus();
  }, [element, message, version]);
}
