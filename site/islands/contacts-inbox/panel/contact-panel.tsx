import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import { LoadError, throwBugs } from "../../../supabase/load-error";
import type { StoredContact } from "../../../supabase/read-contacts";
import { ActionButtons } from "../changes/contact-actions";
import { withPending } from "../changes/undoable-changes";
import { type ContactActions, usePendingChanges } from "../changes/use-contact-actions";
import { mailAddress } from "../contact-text";
import { useInboxView } from "../find/use-inbox-view";
import type { Navigation } from "../list/use-navigation";
import { contactQuery } from "../query-cache";
import { ContactDetails } from "./contact-details";
import styles from "./contact-panel.module.css";
import { KeptDraft } from "./note-drafts";
import { NoteForm } from "./note-form";
import { OtherContacts } from "./other-contacts";
import { PersonalDataFileButton } from "./personal-data-file";

const text = workWords.panel;

interface ContactPanelProps {
  /** The contact as the list has it; undefined if the list does not contain it. */
  listed: StoredContact | undefined;
  navigation: Navigation;
  actions: ContactActions;
  undoNotice: ReactNode;
}

/** The open contact with everything about it (docs/specification.md#open-contact). */
export function ContactPanel({ listed, navigation, actions, undoNotice }: ContactPanelProps) {
  const { contact: id = "" } = useInboxView().view;
  const pending = usePendingChanges();
  const { data, error, isFetching, refetch } = useQuery({ ...contactQuery(id), ...throwBugs, placeholderData: listed });
  const [contact] = data ? withPending([data], pending) : [];
  const heading = useRef<HTMLHeadingElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another contact gets the focus as well
  useEffect(() => heading.current?.focus(), [id]);

  const isGone = data === null || (data !== undefined && !contact);
  const isFailed = !contact && !isGone && error !== null;
  return (
    <section className={styles.panel} aria-label={text.label} data-contact-panel>
      <PanelBar {...navigation} />
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{contact ? contact.name : isGone ? text.gone : isFailed ? text.failed : text.loading}</bdi>
        </h2>
        {contact && (
          <Button small href={mailAddress(contact.email, true)}>
            {text.reply}
          </Button>
        )}
      </div>
      <div className={styles.dock}>
        <div className={styles.undo}>{undoNotice}</div>
        {contact && <ActionButtons contacts={[contact]} label={text.actions} actions={actions} />}
      </div>
      {contact && (
        <Fragment key={id}>
          <ContactDetails contact={contact} />
          <NoteForm contact={contact} />
          <OtherContacts contact={contact} />
          <PersonalDataFileButton email={contact.email} />
        </Fragment>
      )}
      {isGone && (
        <>
          <p className={styles.soft}>{text.goneText}</p>
          <KeptDraft key={id} id={id} />
          <Button variant="tool" onClick={navigation.close}>
            {text.toList}
          </Button>
        </>
      )}
      {isFailed && (
        <>
          {error instanceof LoadError && error.reason === "failed" && error.serverMessage && (
            <p role="alert">{error.serverMessage}</p>
          )}
          <BusyButton variant="tool" busy={isFetching} busyLabel={text.loading} onClick={() => refetch()}>
            {inboxWords.tryAgain}
          </BusyButton>
        </>
      )}
    </section>
  );
}

function PanelBar({ canMove, move, close }: Navigation) {
  return (
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
  );
}
