import { useEffect, useRef } from "react";

/**
 * A field that keeps what is being typed, and shows `value` when that changes for another reason, such as Back. `applied`
 * is the value that the list has got from the field.
 */
export function useFieldThatFollows(value: string) {
  const input = useRef<HTMLInputElement>(null);
  const applied = useRef("");
  useEffect(() => {
    if (!input.current || value === applied.current) return;
    applied.current = value;
    input.current.value = value;
  }, [value]);
  return { input, applied };
}
