import { useEffect, useState } from "react";

/** A shorter wait is not reported, because the message would disappear before anyone could read it. */
const delayMilliseconds = 300;

/** Returns true while `pending` is true, but only after it has been true for this long. */
export function useDelayedPending(pending: boolean, milliseconds = delayMilliseconds): boolean {
  const [delayed, setDelayed] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setDelayed(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setDelayed(false);
    };
  }, [pending, milliseconds]);
  return pending && delayed;
}
