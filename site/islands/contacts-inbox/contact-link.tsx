import type { ReactNode } from "react";
import { addressOf, followInPage } from "./use-view";
import type { View } from "./view";

/** A link to a contact's own address. A plain click opens the contact in this page. */
export function ContactLink({ id, view, children }: { id: string; view: View; children: ReactNode }) {
  return (
    <a href={addressOf({ ...view, contact: id })} onClick={(event) => followInPage(event, { contact: id })}>
      {children}
    </a>
  );
}
