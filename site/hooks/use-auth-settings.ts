import { useEffect, useState } from "react";
import { type AuthSettings, readAuthSettings } from "../supabase/auth-settings";

/** Undefined until the answer, and without one: nothing waits for it. */
export function useAuthSettings(): AuthSettings | undefined {
  const [settings, setSettings] = useState<AuthSettings>();
  useEffect(() => {
    readAuthSettings().then(setSettings);
  }, []);
  return settings;
}
