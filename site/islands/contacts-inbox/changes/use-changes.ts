import { useMutationState, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type ChangeNotice, ContactChanges, changeKey, type PendingChange } from "./contact-changes";

/** The changes that this page makes to contacts. Deletions are sent at once when the page is hidden or left. */
export function useChanges() {
  const queries = useQueryClient();
  const [notice, onNotice] = useState<ChangeNotice>();
  const [changes] = useState(() => new ContactChanges(queries, { onNotice, isHeld }));
  const pending = useMutationState({
    filters: { mutationKey: changeKey, status: "pending" },
    select: ({ state }) => state.variables as PendingChange,
  });

  useEffect(() => {
    const onHidden = () => document.visibilityState === "hidden" && changes.sendDeletions();
    const onLeave = () => changes.sendDeletions();
    document.addEventListener("visibilitychange", onHidden);
    window.addEventListener("pagehide", onLeave);
    // Before the button's own listener, which removes the session from this browser.
    const onClick = ({ target }: MouseEvent) =>
      target instanceof Element && target.closest("[data-log-out]") && changes.sendDeletions();
    document.addEventListener("click", onClick, true);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      window.removeEventListener("pagehide", onLeave);
      document.removeEventListener("click", onClick, true);
      onLeave();
    };
  }, [changes]);

  return { changes, pending, notice };
}

/** Whether a person points at the notice, or has the focus in it. */
const isHeld = () => document.querySelector("[data-last-change]:is(:hover, :focus-within)") !== null;
