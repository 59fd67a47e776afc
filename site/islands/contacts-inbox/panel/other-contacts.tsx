import { useQuery } from "@tanstack/react-query";
import { inboxWords, workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import type { StoredContact } from "../../../supabase/read-contacts";
import { formatTime, labelOfInterest } from "../data/contact-text";
import { contactsFromQuery } from "../data/query-cache";
import { ContactLink } from "../find/use-inbox-view";
import styles from "./contact-panel.module.css";

const text = workWords.panel;

/** The other contacts from the same email address, newest first. */
export function OtherContacts({ contact }: { contact: StoredContact }) {
  const { data, error, refetch } = useQuery(contactsFromQuery(contact.email));
  const others = data?.filter(({ id, state }) => id !== contact.id && state !== "deleted");
  if (!error && !others?.length) return null;
  return (
    <section className={styles.section}>
      <h3>{text.others}</h3>
      {others ? (
        <ul>
          {others.map((other) => (
            <li key={other.id}>
              <ContactLink id={other.id}>
                <time dateTime={other.submitted_at}>{formatTime(other.submitted_at)}</time>
              </ContactLink>
              <span>
                {labelOfInterest(other.interest)}, {inboxWords.states[other.state]}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p role="alert">{text.othersFailed}</p>
          <Button variant="tool" onClick={() => refetch()}>
            {inboxWords.tryAgain}
          </Button>
        </>
      )}
    </section>
  );
}
