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

/** Why a login would end with its page; empty if the browser keeps what is stored. Some browsers drop it without an error. */
export function findStorageProblem(): "" | StorageProblem {
  const key = "storage-test";
  try {
    window.localStorage.setItem(key, key);
    const isKept = window.localStorage.getItem(key) === key;
    window.localStorage.removeItem(key);
    return isKept ? "" : "notStored";
  } catch (error) {
    return storageProblemOf(error);
  }
}

/** A browser that refuses all storage may call it full as well, but then nothing is stored. */
export function storageProblemOf(error: unknown): StorageProblem {
  const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
  return isFull && withStorage("localStorage", ({ length }) => length) ? "storageFull" : "notStored";
}

type StorageProblem = "notStored" | "storageFull";
