import type { Session } from "@supabase/supabase-js";
import { useEffect, useEffectEvent, useState } from "react";
import { watchSession } from "../backend/session";

/**
 * Follows the session while the component is there: `found` and `lost` may be called at any time, also because of
 * another tab. A client that cannot be made (a setting is missing) is thrown to the error boundary. Another `attempt`
 * watches anew, for when the client itself had not arrived.
 */
export function useSession({ found, lost }: { found?: (email: string) => void; lost?: () => void }, attempt = 0) {
  const [failure, setFailure] = useState<{ error: unknown }>();
  if (failure) throw failure.error;

  const changed = useEffectEvent((session: Session | null) => (session ? found?.(session.user.email ?? "") : lost?.()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is not read, it only asks for another try
  useEffect(() => {
    let isThere = true;
    const watching = watchSession((session) => isThere && changed(session));
    watching.catch((error: unknown) => setFailure({ error }));
    return () => {
      isThere = false;
      watching.then((stop) => stop()).catch(() => {});
    };
  }, [attempt]);
}
