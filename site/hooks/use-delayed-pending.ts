import { useEffect, useState } from "react";

/** Shorter waits are over before anybody could have read about them. */
const patienceMilliseconds = 300;

/** Whether something has been under way for long enough to say so. */
export function useDelayedPending(underWay: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!underWay) return;
    const timer = setTimeout(() => setLate(true), patienceMilliseconds);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [underWay]);
  return underWay && late;
}
