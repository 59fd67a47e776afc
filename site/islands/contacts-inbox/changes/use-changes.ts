import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { changeState, deleteContacts, deleteContactsOnLeaving } from "../../../supabase/change-contacts";
import { reloadContacts, removeFromCache, replaceInCache } from "./contact-cache";
import { ContactChanges } from "./contact-changes";
import { sendChange } from "./send-change";
import { isNoticeHeld } from "./undo-notice";

/** The changes that this page makes to contacts. Deletions are sent at once when the page is hidden or left. */
export function useChanges() {
  const queries = useQueryClient();
  const [changes] = useState(
    () =>
      new ContactChanges(
        {
          changeState: (...change) => sendChange(queries, () => changeState(...change)),
          deleteContacts,
          deleteContactsOnLeaving,
        },
        {
          replace: (contacts) => replaceInCache(queries, contacts),
          remove: (ids) => removeFromCache(queries, ids),
          reload: () => reloadContacts(queries),
        },
        isNoticeHeld,
      ),
  );
  const { pending, notice } = useSyncExternalStore(changes.subscribe, changes.snapshot, changes.snapshot);

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
