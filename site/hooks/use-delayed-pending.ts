import { useEffect, useState } from "react";

/** A message about a shorter wait would be gone before it could be read. */
const delayMilliseconds = 300;

/** Whether something has been pending for long enough to show it. */
export function useDelayedPending(pending: boolean): boolean {
  const [delayed, setDelayed] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setDelayed(true), delayMilliseconds);
    return () => {
      clearTimeout(timer);
      setDelayed(false);
    };
  }, [pending]);
  return pending && delayed;
}
