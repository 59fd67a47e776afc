import type { MouseEvent, ReactNode } from "react";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import type { StoredContact } from "../../supabase/read-contacts";
import styles from "./contacts-table.module.css";
import { addressOf, changeView } from "./use-view";
import type { View } from "./view";

export interface ContactsTableProps {
  contacts: readonly StoredContact[];
  view: View;
  /** The list is being replaced by another one. */
  busy?: boolean;
  /** The checkbox of a contact, and the one that stands for all. Without them the table has no such column. */
  selectAll?: ReactNode;
  renderSelect?: (contact: StoredContact) => ReactNode;
}

/** The contacts as a table. On narrow screens each row is an entry of three lines. */
export function ContactsTable({ contacts, view, busy = false, selectAll, renderSelect }: ContactsTableProps) {
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
          <th scope="col" className={styles.companyColumn}>
            {columns.company}
          </th>
          <th scope="col" className={styles.emailColumn}>
            {columns.email}
          </th>
          <th scope="col" className={styles.interestColumn}>
            {columns.interest}
          </th>
          <th scope="col">{columns.sent}</th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => (
          <Row key={contact.id} contact={contact} view={view} select={renderSelect?.(contact)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ contact, view, select }: { contact: StoredContact; view: View; select: ReactNode }) {
  const { id, name, company, email, interest, state, submitted_at: sentAt } = contact;
  return (
    <tr data-contact={id} data-state={state} data-open={view.contact === id}>
      {select !== undefined && <td className={styles.select}>{select}</td>}
      <td className={styles.name}>
        {state === "new" && <span className={styles.visuallyHidden}>{inboxWords.unreadMark}</span>}
        <a href={addressOf({ ...view, contact: id })} dir="auto" onClick={(event) => open(event, id)}>
          {name}
        </a>
        {state === "spam" && <p className={styles.reason}>{contact.spam_reason ?? inboxWords.markedAsSpam}</p>}
        {state === "archived" && view.state === "all" && (
          <span className={styles.reason}> {inboxWords.states.archived}</span>
        )}
      </td>
      <td className={styles.company} dir="auto">
        {company || inboxWords.noCompany}
      </td>
      <td className={styles.email}>
        <a href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>{email}</a>
      </td>
      <td className={styles.interest}>{interestLabels.get(interest) ?? interest}</td>
      <td className={styles.sent}>
        <time dateTime={sentAt}>{localTime.format(new Date(sentAt))}</time>
      </td>
    </tr>
  );
}

/** A click with a modifier key opens the contact's own address in another tab, as for every link. */
function open(event: MouseEvent, id: string) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  changeView({ contact: id });
}

const interestLabels = new Map<string, string>(contactWords.interests.map(({ value, label }) => [value, label]));
const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
