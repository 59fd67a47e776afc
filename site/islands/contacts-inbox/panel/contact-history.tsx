import { workWords } from "#content/inbox";
import type { StoredContact } from "../../../supabase/read-contacts";
import { formatTime, timeOfDay } from "../data/contact-text";
import { useTeam } from "../data/team";
import styles from "./contact-panel.module.css";

const text = workWords.history;

/** What has happened to a contact, oldest first. */
export function ContactHistory({ contact }: { contact: StoredContact }) {
  const { state, submitted_at: sentAt, state_changed_at: changedAt, spam_reason: reason } = contact;
  const { handled_by: handler, handled_by_since: since } = contact;
  const { isShared, addressOf, nameOf } = useTeam();
  const by = (what: keyof typeof text.by, id: string | null) =>
    isShared && addressOf(id) ? text.by[what](nameOf(id)) : text[what];
  const isTakenByMark = state === "handled" && since === changedAt;
  const events: { at: string; what: string }[] = [{ at: sentAt, what: text.sent }];
  if (reason) events.push({ at: sentAt, what: text.filedAsSpam(reason) });
  if (contact.read_at) events.push({ at: contact.read_at, what: by("read", contact.read_by) });
  if (contact.note_at) events.push({ at: contact.note_at, what: by("note", contact.note_by) });
  if (state !== "new" && !(state === "spam" && reason))
    events.push({ at: changedAt, what: isTakenByMark ? by("handled", handler) : text[state] });
  if (isShared && since && addressOf(handler) && !isTakenByMark)
    events.push({ at: since, what: workWords.handler.to(nameOf(handler)) });
  events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <section className={styles.section}>
      <h3>{text.title}</h3>
      <ol>
        {events.map(({ at, what }, index) => (
          <li key={what}>
            <time dateTime={at}>{formatTime(at, isSameDay(at, events[index - 1]?.at) ? timeOfDay : undefined)}</time>
            <span>{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function isSameDay(time: string, before: string | undefined): boolean {
  return before !== undefined && new Date(time).toDateString() === new Date(before).toDateString();
}
