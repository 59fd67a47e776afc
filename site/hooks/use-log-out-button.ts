import { useEffect } from "react";
import { goToLogin } from "../supabase/return-address";
import { signOut } from "../supabase/sign-out";

/** Lets the button in the header of the work tool log out (docs/specification.md#logout). It is outside of React. */
export function useLogOutButton() {
  useEffect(() => {
    const button = document.querySelector<HTMLButtonElement>("[data-log-out]");
    if (!button) return;
    button.disabled = false;
    button.onclick = () => {
      button.disabled = true;
      signOut();
      goToLogin();
    };
  }, []);
}
