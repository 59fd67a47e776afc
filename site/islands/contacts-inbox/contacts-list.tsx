import { useEffect, useRef } from "react";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import type { ContactsPage, StoredContact } from "../../supabase/read-contacts";
import styles from "./contacts-list.module.css";
import type { Contacts } from "./use-contacts";

/** The contacts as a table. On narrow screens each row is an entry of three lines. */
export function ContactsList({ contacts, data }: { contacts: Contacts; data: ContactsPage }) {
  const { columns } = inboxWords;
  const { error, hasNextPage, isFetchingNextPage, fetchNextPage } = contacts;
  const count = useFocusAfterLastPage(data.contacts.length, hasNextPage);

  return (
    <>
      <table className={styles.list}>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.company}</th>
            <th scope="col">{columns.email}</th>
            <th scope="col">{columns.interest}</th>
            <th scope="col">{columns.sent}</th>
          </tr>
        </thead>
        <tbody>
          {data.contacts.map((contact) => (
            <Row key={contact.id} contact={contact} />
          ))}
        </tbody>
      </table>
      <div className={styles.footer}>
        <p ref={count} role="status" tabIndex={-1}>
          {inboxWords.shown(data.contacts.length, data.total)}
        </p>
        {hasNextPage && (
          // The button has `aria-disabled`, because `disabled` would take the focus from it during the request.
          <Button variant="quiet" aria-disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {isFetchingNextPage ? inboxMessages.loading : inboxWords.more}
          </Button>
        )}
        <Notice tone="error">{error ? (error.serverMessage ?? inboxMessages.notLoaded) : ""}</Notice>
      </div>
    </>
  );
}

function Row({ contact }: { contact: StoredContact }) {
  const { name, company, email, interest, submitted_at: sentAt, spam_reason: spamReason } = contact;
  return (
    <tr data-spam={Boolean(spamReason)}>
      <td className={styles.name}>
        <span dir="auto">{name}</span>
        {spamReason && (
          <details className={styles.spam}>
            <summary>{inboxWords.spam}</summary>
            <p>{spamReason}</p>
          </details>
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

/** Moves the focus to the number of contacts when the last page is loaded: the button with the focus is then gone. */
function useFocusAfterLastPage(shown: number, hasMore: boolean) {
  const count = useRef<HTMLParagraphElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    const grew = shown > before.current;
    before.current = shown;
    if (grew && !hasMore && document.activeElement === document.body) count.current?.focus();
  }, [shown, hasMore]);
  return count;
}

const interestLabels = new Map<string, string>(contactWords.interests.map(({ value, label }) => [value, label]));
const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
