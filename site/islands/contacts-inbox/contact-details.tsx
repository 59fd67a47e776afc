import { useRef, useState } from "react";
import { workWords } from "#content/contact-work";
import { inboxWords } from "#content/inbox";
import { Button } from "../../components/button";
import type { StoredContact } from "../../supabase/read-contacts";
import styles from "./contact-details.module.css";
import { formatTime, labelOfInterest, mailAddress } from "./contact-text";
import { CorrectionForm } from "./correction-form";

const text = workWords.panel;
const { columns } = inboxWords;

/** What is known about a contact, with a link to reply, and the form to correct it in place. */
export function ContactDetails({ contact }: { contact: StoredContact }) {
  const [isCorrecting, setCorrecting] = useState(false);
  const [outcome, setOutcome] = useState("");
  const correct = useRef<HTMLButtonElement>(null);

  function close(message = "") {
    setCorrecting(false);
    setOutcome(message);
    // The button is in the document again after this event.
    setTimeout(() => correct.current?.focus());
  }

  return (
    <>
      {isCorrecting ? (
        <CorrectionForm contact={contact} onClose={close} />
      ) : (
        <>
          <Facts contact={contact} />
          <div className={styles.buttons}>
            <Button href={mailAddress(contact.email, true)}>{text.reply}</Button>
            <Button
              ref={correct}
              variant="quiet"
              aria-label={workWords.correction.openWhat}
              onClick={() => setCorrecting(true)}
            >
              {workWords.correction.open}
            </Button>
          </div>
        </>
      )}
      <p className={styles.outcome} role="status">
        {outcome}
      </p>
    </>
  );
}

function Facts({ contact }: { contact: StoredContact }) {
  const { company, email, interest, state, submitted_at: sentAt, state_changed_at: changedAt } = contact;
  return (
    <dl className={styles.facts}>
      <dt>{columns.company}</dt>
      <dd dir="auto">{company || inboxWords.noCompany}</dd>
      <dt>{columns.email}</dt>
      <dd>
        <a href={mailAddress(email)}>{email}</a>
      </dd>
      <dt>{columns.interest}</dt>
      <dd>{labelOfInterest(interest)}</dd>
      <dt>{text.sent}</dt>
      <dd>
        <time dateTime={sentAt}>{formatTime(sentAt)}</time>
      </dd>
      <dt>{text.state}</dt>
      <dd data-state={state}>
        {workWords.states[state]}
        {state !== "new" && (
          <>
            , {text.since} <time dateTime={changedAt}>{formatTime(changedAt)}</time>
          </>
        )}
      </dd>
      {contact.spam_reason && (
        <>
          <dt>{text.spamReason}</dt>
          <dd>{contact.spam_reason}</dd>
        </>
      )}
    </dl>
  );
}
