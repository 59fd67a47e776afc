import { useEffect } from "react";
import { inboxWords } from "#content/inbox";
import { contactsPerPage, type InboxNews } from "../../supabase/read-contacts";
import styles from "./new-contacts.module.css";
import { showNewest } from "./use-view";

/** Says how many contacts have arrived, above the list and without moving it. A press shows them. */
export function NewContacts({ count }: { count: number }) {
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <button type="button" className={styles.button} onClick={showNewest}>
          {inboxWords.arrived(count, count === contactsPerPage)}
        </button>
      )}
    </div>
  );
}

/** The number of unread contacts stands in the page's title, such as "(3) Contacts". */
export function useUnreadInTitle(news: InboxNews | null | undefined) {
  const unread = news?.unread ?? 0;
  useEffect(() => {
    if (unread === 0) return;
    const title = document.title;
    document.title = `(${inboxWords.number(unread)}) ${title}`;
    return () => {
      document.title = title;
    };
  }, [unread]);
}
