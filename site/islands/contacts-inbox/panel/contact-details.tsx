import { useRef, useState } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import type { StoredContact } from "../../../supabase/read-contacts";
import { EmailText, formatTime, labelOfInterest, mailAddress } from "../contact-text";
import styles from "./contact-details.module.css";
import { CorrectionForm } from "./correction-form";

const text = workWords.panel;
const { columns } = inboxWords;

/** What is known about a contact, and the form to correct it in place. */
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
          <div className={styles.correct}>
            <Button
              ref={correct}
              variant="plain"
              aria-label={workWords.correction.openWhat}
              onClick={() => setCorrecting(true)}
            >
              {workWords.correction.open}
            </Button>
          </div>
        </>
      )}
      <p className={styles.outcome} role="status">
        {isCorrecting ? "" : outcome}
      </p>
    </>
  );
}

function Facts({ contact }: { contact: StoredContact }) {
  const { company, email, interest, state, submitted_at: sentAt, state_changed_at: changedAt } = contact;
  return (
    <dl className={styles.facts}>
      <dt>{columns.company}</dt>
      <dd>
        <bdi>{company || inboxWords.noCompany}</bdi>
      </dd>
      <dt>{columns.email}</dt>
      <dd>
        <a href={mailAddress(email)}>
          <EmailText email={email} />
        </a>
      </dd>
      <dt>{columns.interest}</dt>
      <dd>{labelOfInterest(interest)}</dd>
      <dt>{text.sent}</dt>
      <dd>
        <time dateTime={sentAt}>{formatTime(sentAt)}</time>
      </dd>
      <dt>{text.state}</dt>
      <dd>
        <span className={styles.state} data-state={state}>
          {inboxWords.states[state]}
        </span>
        {state !== "new" && (
          <>
            {" "}
            {text.changed[state]} <time dateTime={changedAt}>{formatTime(changedAt)}</time>
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
