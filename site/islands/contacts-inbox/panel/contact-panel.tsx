import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import { lazyContent } from "../../../components/popover";
import { markRead } from "../../../supabase/change-contacts";
import { LoadError, throwBugs } from "../../../supabase/load-error";
import type { StoredContact } from "../../../supabase/read-contacts";
import { useInboxCommands } from "../changes/inbox-commands";
import { usePendingChanges, withPending } from "../changes/use-changes";
import { useInboxElements } from "../data/inbox-elements";
import { contactQuery } from "../data/query-cache";
import { useUserId } from "../data/require-admin";
import { useInboxView } from "../find/use-inbox-view";
import { ContactDetails, ContactHistory, OtherContacts } from "./contact-details";
import styles from "./contact-panel.module.css";
import { KeptDraft } from "./note-drafts";
import { NoteForm } from "./note-form";
import { PanelActions } from "./panel-actions";

const CorrectionForm = lazyContent(async () => (await import("../on-demand")).CorrectionForm);
const PersonalDataFile = lazyContent(async () => (await import("../on-demand")).PersonalDataFile);

const text = workWords.panel;

interface ContactPanelProps {
  /** The contact as the list has it; undefined if the list does not contain it. */
  listed: StoredContact | undefined;
  undoNotice: ReactNode;
}

/** The open contact with everything about it (docs/specification.md#open-contact). */
export function ContactPanel({ listed, undoNotice }: ContactPanelProps) {
  const { contact: id = "" } = useInboxView().view;
  const pending = usePendingChanges();
  const { data, error, isFetching, refetch } = useQuery({ ...contactQuery(id), ...throwBugs, placeholderData: listed });
  const [contact] = data ? withPending([data], pending) : [];
  const { panel, heading } = useInboxElements();
  const { navigation } = useInboxCommands();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another contact gets the focus as well
  useEffect(() => heading.current?.focus(), [id]);

  const isGone = data === null;
  const isFailed = !contact && !isGone && error !== null;
  return (
    <section ref={panel} className={styles.panel} aria-label={text.label} data-contact-panel>
      <PanelBar />
      <h2 ref={heading} className={styles.name} tabIndex={-1}>
        <bdi>{contact ? contact.name : isGone ? text.gone : isFailed ? text.failed : text.loading}</bdi>
      </h2>
      {contact && <OpenContact key={id} {...{ contact, undoNotice }} />}
      {!contact && <div className={`screen-only ${styles.dock}`}>{undoNotice}</div>}
      {isGone && (
        <>
          <p className="soft">{text.goneText}</p>
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

type OpenContactProps = Pick<ContactPanelProps, "undoNotice"> & { contact: StoredContact };

function OpenContact({ contact, undoNotice }: OpenContactProps) {
  /** What the menu has opened. */
  const [opened, setOpened] = useState<"correction" | "data">();
  const [outcome, setOutcome] = useState("");
  const menuButton = useRef<HTMLButtonElement>(null);
  useReading(contact);

  function close(message = "") {
    setOpened(undefined);
    setOutcome(message);
    menuButton.current?.focus();
  }

  return (
    <>
      <div className={`screen-only ${styles.dock}`}>
        <div className={styles.undo}>{undoNotice}</div>
        <PanelActions {...{ contact, menuButton }} onOpen={setOpened} />
      </div>
      <Suspense fallback={<ContactDetails contact={contact} />}>
        {opened === "correction" ? (
          <CorrectionForm contact={contact} onClose={close} />
        ) : (
          <ContactDetails contact={contact} />
        )}
      </Suspense>
      <p className={`small soft ${styles.outcome}`} role="status">
        {opened ? "" : outcome}
      </p>
      <NoteForm contact={contact} />
      <ContactHistory contact={contact} />
      <OtherContacts contact={contact} />
      <Suspense>{opened === "data" && <PersonalDataFile email={contact.email} onClose={close} />}</Suspense>
    </>
  );
}

/**
 * So long a contact is open, in a tab that is seen, until it counts as read: nobody reads what is only passed by with the
 * keys.
 */
const readingMilliseconds = 2000;

/** Lets the database note who read the contact first. If that fails, the next opening or return tries again. */
function useReading({ id, read_by: reader }: StoredContact) {
  const queries = useQueryClient();
  const me = useUserId();
  useEffect(() => {
    if (reader !== null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function note() {
      const read = await markRead(id, me);
      if (!read.ok || !read.value) return;
      // Only these: the answer may be older than that to a change of the state or the note.
      const { read_by, read_at } = read.value;
      queries.setQueryData(contactQuery(id).queryKey, (contact) => contact && { ...contact, read_by, read_at });
    }
    function start() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(note, readingMilliseconds);
    }
    start();
    document.addEventListener("visibilitychange", start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", start);
    };
  }, [queries, id, me, reader]);
}

function PanelBar() {
  const { canMove, move, close } = useInboxCommands().navigation;
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
