import { type RefObject, useEffect, useRef } from "react";

/**
 * Lets a field keep what is being typed, and show `value` when that changes for another reason, such as Back. Returns the
 * value that the list has got from the field.
 */
export function useFieldThatFollows(input: RefObject<HTMLInputElement | null>, value: string): RefObject<string> {
  const applied = useRef("");
  useEffect(() => {
    if (!input.current || value === applied.current) return;
    applied.current = value;
    input.current.value = value;
  }, [input, value]);
  return applied;
}
