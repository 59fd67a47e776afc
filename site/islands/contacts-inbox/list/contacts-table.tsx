import type { ReactNode } from "react";
import { inboxWords } from "#content/inbox";
import type { StoredContact } from "../../../supabase/read-contacts";
import { ContactLink, EmailText } from "../contact-link";
import { formatTime, labelOfInterest, mailAddress } from "../contact-text";
import { useView } from "../find/use-view";
import styles from "./contacts-table.module.css";

export interface ContactsTableProps {
  contacts: readonly StoredContact[];
  /** The list is being replaced by another one. */
  busy?: boolean;
  /** The checkbox of a contact, and the one that stands for all. Without them the table has no such column. */
  selectAll?: ReactNode;
  renderSelect?: (contact: StoredContact) => ReactNode;
}

/** The contacts as a table. On narrow screens each row is an entry of three lines. */
export function ContactsTable({ contacts, busy = false, selectAll, renderSelect }: ContactsTableProps) {
  const { columns } = inboxWords;
  return (
    <table className={styles.table} aria-busy={busy} data-selectable={Boolean(renderSelect)}>
      <thead>
        <tr>
          {renderSelect && (
            <th scope="col" className={styles.select}>
              {selectAll}
            </th>
          )}
          <th scope="col" className={styles.nameColumn}>
            {columns.name}
          </th>
          <th scope="col">{columns.company}</th>
          <th scope="col" className={styles.emailColumn}>
            {columns.email}
          </th>
          <th scope="col" className={styles.interestColumn}>
            {columns.interest}
          </th>
          <th scope="col" className={styles.sentColumn}>
            {columns.sent}
          </th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => (
          <Row key={contact.id} contact={contact} select={renderSelect?.(contact)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ contact, select }: { contact: StoredContact; select: ReactNode }) {
  const { view } = useView();
  const { id, name, company, email, interest, state, submitted_at: sentAt } = contact;
  return (
    <tr data-contact={id} data-state={state} data-open={view.contact === id}>
      {select !== undefined && <td className={styles.select}>{select}</td>}
      <td className={styles.name}>
        {state === "new" && <span className={styles.visuallyHidden}>{inboxWords.newMark}</span>}
        <ContactLink id={id}>
          <bdi>{name}</bdi>
        </ContactLink>
        {state === "spam" && <p className={styles.reason}>{contact.spam_reason ?? inboxWords.markedAsSpam}</p>}
        {state === "archived" && view.state === "all" && (
          <span className={styles.reason}> {inboxWords.states.archived}</span>
        )}
      </td>
      <td className={styles.company}>
        <bdi>{company || inboxWords.noCompany}</bdi>
      </td>
      <td className={styles.email}>
        <a href={mailAddress(email)}>
          <EmailText email={email} />
        </a>
      </td>
      <td className={styles.interest}>{labelOfInterest(interest)}</td>
      <td className={styles.sent}>
        <time dateTime={sentAt}>{formatTime(sentAt)}</time>
      </td>
    </tr>
  );
}
