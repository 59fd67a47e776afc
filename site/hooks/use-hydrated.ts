import { useSyncExternalStore } from "react";

/** False in the HTML that the build made, true as soon as React listens. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

const never = () => () => {};
