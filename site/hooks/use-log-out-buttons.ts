import { useEffect } from "react";
import { logOut } from "../supabase/navigation-intents";
import type { Scope } from "../supabase/sign-out";

/**
 * Lets the buttons in the header of the work tool log out, on all devices or on this one
 * (docs/specification.md#logout). They are outside of React.
 */
export function useLogOutButtons() {
  useEffect(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-log-out]")) {
      button.disabled = false;
      button.onclick = () => {
        button.disabled = true;
        logOut(button.dataset.logOut as Scope);
      };
    }
  }, []);
}
