import type { MouseEvent, ReactNode } from "react";
import { addressOf, changeView } from "./use-view";
import type { View } from "./view";

/** A link to a contact's own address. A plain click opens the contact in this page. */
export function ContactLink({ id, view, children }: { id: string; view: View; children: ReactNode }) {
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    changeView({ contact: id });
  }
  return (
    <a href={addressOf({ ...view, contact: id })} dir="auto" onClick={open}>
      {children}
    </a>
  );
}
