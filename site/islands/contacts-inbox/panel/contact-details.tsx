import { useQuery } from "@tanstack/react-query";
import { inboxWords, workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { Popover } from "../../../components/popover";
import type { StoredContact } from "../../../supabase/read-contacts";
import { HandlerChoices } from "../changes/contact-actions";
import { EmailText, formatTime, labelOfInterest, mailAddress, timeOfDay } from "../data/contact-text";
import { useInboxElements } from "../data/inbox-elements";
import { contactsFromQuery } from "../data/query-cache";
import { useTeam } from "../data/team";
import { ContactLink } from "../find/use-inbox-view";
import styles from "./contact-details.module.css";
import panel from "./contact-panel.module.css";

const { columns } = inboxWords;
const { handler: handlerWords, history, panel: words } = workWords;

/** What is known about a contact. */
export function ContactDetails({ contact }: { contact: StoredContact }) {
  const { company, email, interest, state, submitted_at: sentAt } = contact;
  const { isShared, labelOf } = useTeam();
  const { assignOpen } = useInboxElements();
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
      <dt>{columns.sent}</dt>
      <dd>
        <time dateTime={sentAt}>{formatTime(sentAt)}</time>
      </dd>
      <Source {...contact} />
      <dt>{words.state}</dt>
      <dd>
        <span className={`small strong ${styles.state}`} data-state={state}>
          {inboxWords.states[state]}
        </span>
      </dd>
      {isShared && (
        <>
          <dt>{handlerWords.label}</dt>
          <dd>
            <Popover
              opener={assignOpen}
              variant="plain"
              align="start"
              button={labelOf(contact.handled_by)}
              aria-label={handlerWords.to(labelOf(contact.handled_by))}
              label={handlerWords.label}
            >
              <HandlerChoices contacts={[contact]} />
            </Popover>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Where the contact came from, if anything is known. */
function Source({ referrer, campaign, first_page: page }: StoredContact) {
  const { source, campaign: inCampaign, firstPage } = words;
  const known = [referrer, campaign && inCampaign(campaign), page && firstPage(page)].filter(Boolean);
  if (known.length === 0) return null;
  return (
    <>
      <dt>{source}</dt>
      <dd>
        <bdi>{known.join(", ")}</bdi>
      </dd>
    </>
  );
}

/** What has happened to a contact, oldest first. */
export function ContactHistory({ contact }: { contact: StoredContact }) {
  const { state, submitted_at: sentAt, state_changed_at: changedAt, spam_reason: reason } = contact;
  const { handled_by: handler, handled_by_since: since } = contact;
  const { isShared, addressOf, nameOf } = useTeam();
  const by = (what: keyof typeof history.by, id: string | null) =>
    isShared && addressOf(id) ? history.by[what](nameOf(id)) : history[what];
  const isTakenByMark = state === "handled" && since === changedAt;
  const events: { at: string; what: string }[] = [{ at: sentAt, what: history.sent }];
  if (reason) events.push({ at: sentAt, what: history.filedAsSpam(reason) });
  if (contact.read_at) events.push({ at: contact.read_at, what: by("read", contact.read_by) });
  if (contact.note_at) events.push({ at: contact.note_at, what: by("note", contact.note_by) });
  if (state !== "new" && !(state === "spam" && reason))
    events.push({ at: changedAt, what: isTakenByMark ? by("handled", handler) : history[state] });
  if (isShared && since && addressOf(handler) && !isTakenByMark)
    events.push({ at: since, what: handlerWords.to(nameOf(handler)) });
  events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <section className={panel.section}>
      <h3>{history.title}</h3>
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

/** The other contacts from the same email address, newest first. */
export function OtherContacts({ contact }: { contact: StoredContact }) {
  const { data, error, refetch } = useQuery(contactsFromQuery(contact.email));
  const others = data?.filter(({ id, state }) => id !== contact.id && state !== "deleted");
  if (!error && !others?.length) return null;
  return (
    <section className={panel.section}>
      <h3>{words.others}</h3>
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
          <p role="alert">{words.othersFailed}</p>
          <Button variant="tool" onClick={() => refetch()}>
            {inboxWords.tryAgain}
          </Button>
        </>
      )}
    </section>
  );
}
