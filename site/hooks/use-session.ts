import type { Session } from "@supabase/auth-js";
import { useEffect, useEffectEvent } from "react";
import { watchSession } from "../supabase/session";
import { readTokens } from "../supabase/sign-out";

/**
 * Watches the session while the component is mounted. Both callbacks may be called at any time, for example after a
 * logout in another tab. If the client library could not be loaded, the hook watches nothing until it gets a new value
 * of `attempt`.
 */
export function useSession(
  { onFound, onLost }: { onFound?: (session: Session) => void; onLost?: () => void },
  attempt = 0,
) {
  const changed = useEffectEvent((session: Session | null) => (session ? onFound?.(session) : onLost?.()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt runs the effect again
  useEffect(() => {
    let mounted = true;
    const watching = watchSession((session) => mounted && changed(session));
    return () => {
      mounted = false;
      watching.then((stop) => stop());
    };
  }, [attempt]);
}

/**
 * Watches the session of a page that shows what belongs to one account. If another account logs in in another tab, the
 * page is loaded again: else it would act for that account under the old name.
 */
export function useOwnSession(onLost: () => void, attempt: number) {
  useSession({ onLost }, attempt);
  const lost = useEffectEvent(onLost);
  useEffect(() => {
    const account = readTokens()?.user?.id;
    if (!account) return;
    const check = () => {
      const present = readTokens()?.user?.id;
      if (!present) lost();
      else if (present !== account) window.location.reload();
    };
    // The storage tells an open page. One that was frozen, or that Back brings again, may have missed it.
    const events = ["storage", "visibilitychange", "pageshow"];
    for (const event of events) window.addEventListener(event, check);
    return () => {
      for (const event of events) window.removeEventListener(event, check);
    };
  }, []);
}
