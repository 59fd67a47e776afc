import { inboxWords, workWords } from "#content/inbox";
import checkbox from "../../../components/checkbox.module.css";
import type { StoredContact } from "../../../supabase/read-contacts";
import type { Selection } from "../changes/use-selection";
import { ContactLink, EmailText } from "../contact-link";
import { formatTime, labelOfInterest, mailAddress } from "../contact-text";
import { useInboxView } from "../find/use-inbox-view";
import styles from "./contacts-table.module.css";

interface ContactsTableProps {
  contacts: readonly StoredContact[];
  selection: Selection;
  /** The list is being replaced by another one. */
  busy: boolean;
}

/** The contacts as a table. On narrow screens each row is an entry of three lines. */
export function ContactsTable({ contacts, selection, busy }: ContactsTableProps) {
  const { columns } = inboxWords;
  return (
    <table className={styles.table} aria-busy={busy}>
      <thead>
        <tr>
          <th scope="col" className={styles.select}>
            <Checkbox label={workWords.selection.all} checked={selection.isWhole} onChange={selection.toggleAll} />
          </th>
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
          <Row key={contact.id} contact={contact} selection={selection} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ contact, selection }: { contact: StoredContact; selection: Selection }) {
  const { view } = useInboxView();
  const { id, name, company, email, interest, state, submitted_at: sentAt } = contact;
  return (
    <tr data-contact={id} data-state={state} data-open={view.contact === id}>
      <td className={styles.select}>
        <Checkbox
          label={workWords.selection.one(name)}
          checked={selection.has(id)}
          onChange={(event) => selection.toggle(id, "shiftKey" in event && event.shiftKey === true)}
        />
      </td>
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

interface CheckboxProps {
  label: string;
  checked: boolean;
  onChange: (event: Event) => void;
}

function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input
        type="checkbox"
        className={checkbox.checkbox}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onChange(nativeEvent)}
      />
    </label>
  );
}
