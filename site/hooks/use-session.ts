import type { Session } from "@supabase/auth-js";
import { useEffect, useEffectEvent } from "react";
import { watchSession } from "../supabase/session";

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
