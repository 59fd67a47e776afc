/**
 * Works with the storage of the browser, and returns undefined where that is switched off or full, or what `work` finds
 * there cannot be read: what is stored is a convenience, and its absence no error.
 */
export function withStorage<Value>(
  area: "localStorage" | "sessionStorage",
  work: (storage: Storage) => Value,
): Value | undefined {
  try {
    return work(window[area]);
  } catch {
    return undefined;
  }
}
