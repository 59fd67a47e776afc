import { type RefObject, useEffect } from "react";

/**
 * Leads keyboard and screen reader to words that have just appeared. The same words are new again on another `occasion`,
 * or after there were none.
 */
export function useFocusOn(element: RefObject<HTMLElement | null>, words: string, occasion?: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: an occasion is not read, it only makes the words new
  useEffect(() => {
    if (words) element.current?.focus();
  }, [element, words, occasion]);
}
