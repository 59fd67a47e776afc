import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { workWords } from "#content/contact-work";
import { Button } from "../../../components/button";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import type { StoredContact } from "../../../supabase/read-contacts";
import { contactQuery } from "../changes/contact-cache";
import { withPending } from "../changes/contact-changes";
import { mailAddress } from "../contact-text";
import { LoadError } from "../load-error";
import type { TriageWork } from "../use-triage";
import { ContactDetails } from "./contact-details";
import styles from "./contact-panel.module.css";
import { HandOverButton } from "./hand-over";
import { dropDraft, readDraft } from "./note-drafts";
import { NoteForm } from "./note-form";
import { OtherContacts } from "./other-contacts";

const text = workWords.panel;

interface ContactPanelProps {
  id: string;
  userId: string;
  work: TriageWork;
  /** The bar with the actions: below the heading, and on a narrow screen at the lower edge of the window. */
  renderBar: (contact: StoredContact | undefined) => ReactNode;
}

/** One contact with everything about it (docs/specification.md#open-contact). */
export function ContactPanel({ id, userId, work, renderBar }: ContactPanelProps) {
  const { listed, pending, canMove, move, close } = work;
  const { data, error, isFetching, refetch } = useQuery({
    ...contactQuery(id),
    placeholderData: listed,
    throwOnError: (error) => !(error instanceof LoadError),
  });
  const [contact] = data ? withPending([data], pending) : [];
  const heading = useRef<HTMLHeadingElement>(null);
  const retrying = useDelayedPending(isFetching);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another contact gets the focus as well
  useEffect(() => heading.current?.focus(), [id]);

  const isGone = data === null || (data && !contact);
  return (
    <section className={styles.panel} aria-label={text.label} data-contact-panel>
      <div className={styles.bar}>
        <Button variant="plain" aria-disabled={!canMove.previous} onClick={() => canMove.previous && move(-1)}>
          {text.previous}
        </Button>
        <Button variant="plain" aria-disabled={!canMove.next} onClick={() => canMove.next && move(1)}>
          {text.next}
        </Button>
        <Button variant="plain" onClick={close}>
          {text.close}
        </Button>
      </div>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{contact ? contact.name : isGone ? text.gone : error ? text.failed : text.loading}</bdi>
        </h2>
        {contact && (
          <Button small href={mailAddress(contact.email, true)}>
            {text.reply}
          </Button>
        )}
      </div>
      <div className={styles.dock}>{renderBar(contact)}</div>
      {contact ? (
        <Fragment key={contact.id}>
          <ContactDetails contact={contact} />
          <NoteForm contact={contact} userId={userId} />
          <OtherContacts contact={contact} />
          <HandOverButton email={contact.email} />
        </Fragment>
      ) : isGone ? (
        <>
          <p className={styles.soft}>{text.goneText}</p>
          <KeptDraft key={id} userId={userId} id={id} />
          <Button variant="tool" onClick={close}>
            {text.toList}
          </Button>
        </>
      ) : (
        error && (
          <>
            {error instanceof LoadError && error.serverMessage && <p role="alert">{error.serverMessage}</p>}
            <Button variant="tool" aria-disabled={isFetching} onClick={() => refetch()}>
              {retrying ? text.loading : text.tryAgain}
            </Button>
          </>
        )
      )}
    </section>
  );
}

/** The text of a note whose contact has been deleted while it was typed. */
function KeptDraft({ userId, id }: { userId: string; id: string }) {
  const [draft, setDraft] = useState(() => readDraft(userId, id));
  if (!draft) return null;
  function discard() {
    dropDraft(userId, id);
    setDraft(undefined);
  }
  return (
    <>
      <p>{workWords.note.restored}</p>
      <blockquote className={styles.draft}>{draft.text}</blockquote>
      <Button variant="tool" onClick={discard}>
        {workWords.note.discard}
      </Button>
    </>
  );
}
