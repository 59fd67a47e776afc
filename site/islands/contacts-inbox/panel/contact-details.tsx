import { inboxWords, workWords } from "#content/inbox";
import type { StoredContact } from "../../../supabase/read-contacts";
import { EmailText, labelOfInterest, mailAddress } from "../contact-text";
import styles from "./contact-details.module.css";

const { columns } = inboxWords;

/** What is known about a contact. */
export function ContactDetails({ contact: { company, email, interest, state } }: { contact: StoredContact }) {
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
      <dt>{workWords.panel.state}</dt>
      <dd>
        <span className={styles.state} data-state={state}>
          {inboxWords.states[state]}
        </span>
      </dd>
    </dl>
  );
}
