import { workWords } from "#content/inbox";
import type { StoredContact } from "../../../supabase/read-contacts";
import { formatTime } from "../contact-text";
import { useTeam } from "../team";
import styles from "./contact-panel.module.css";

const text = workWords.history;

/** What has happened to a contact, oldest first. */
export function ContactHistory({ contact }: { contact: StoredContact }) {
  const { state, submitted_at: sentAt, state_changed_at: changedAt, spam_reason: reason } = contact;
  const { handled_by: handler, handled_by_since: since } = contact;
  const { isShared, addressOf, nameOf } = useTeam();
  const person = isShared && addressOf(handler) ? nameOf(handler) : undefined;
  const isTakenByMark = state === "handled" && since === changedAt;
  const events: { at: string; what: string }[] = [{ at: sentAt, what: text.sent }];
  if (reason) events.push({ at: sentAt, what: text.filedAsSpam(reason) });
  if (state !== "new" && !(state === "spam" && reason))
    events.push({ at: changedAt, what: person && isTakenByMark ? text.handledBy(person) : text[state] });
  if (person && since && !isTakenByMark) events.push({ at: since, what: workWords.handler.to(person) });
  events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <section className={styles.section}>
      <h3>{text.title}</h3>
      <ol>
        {events.map(({ at, what }) => (
          <li key={what}>
            <time dateTime={at}>{formatTime(at)}</time>
            <span>{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
