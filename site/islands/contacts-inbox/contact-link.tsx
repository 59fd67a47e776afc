import { Fragment, type ReactNode } from "react";
import { addressOf, followInPage, useInboxView } from "./find/use-inbox-view";

/** A link to a contact's own address. A plain click opens the contact in this page. */
export function ContactLink({ id, children }: { id: string; children: ReactNode }) {
  const { view } = useInboxView();
  return (
    <a href={addressOf({ ...view, contact: id })} onClick={(event) => followInPage(event, { contact: id })}>
      {children}
    </a>
  );
}

/** A side of an address that is shorter than this fits into a line of its own, also on a phone. */
const longSide = 28;

/** An email address that breaks after the "@" where it does not fit into one line, and after dots only in a long side. */
export function EmailText({ email }: { email: string }) {
  const parts = email.split(/(?<=@)/).flatMap((side) => (side.length > longSide ? side.split(/(?<=\.)(?=..)/) : side));
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
