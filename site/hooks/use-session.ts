import type { Session } from "@supabase/supabase-js";
import { useEffect, useEffectEvent } from "react";
import { watchSession } from "../supabase/session";

/**
 * Follows the session while the component is there: `found` and `lost` may be called at any time, also because of
 * another tab. Another `attempt` watches anew, for when the client itself had not arrived.
 */
export function useSession({ found, lost }: { found?: (email: string) => void; lost?: () => void }, attempt = 0) {
  const changed = useEffectEvent((session: Session | null) => (session ? found?.(session.user.email ?? "") : lost?.()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is not read, it only asks for another try
  useEffect(() => {
    let isThere = true;
    const watching = watchSession((session) => isThere && changed(session));
    return () => {
      isThere = false;
      watching.then((stop) => stop());
    };
  }, [attempt]);
}
