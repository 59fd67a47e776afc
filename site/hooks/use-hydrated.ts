import { useSyncExternalStore } from "react";

/** False in the prerendered HTML, true after hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

const subscribe = () => () => {};
