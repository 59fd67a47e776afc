import { inboxWords, workWords } from "#content/inbox";
import { Popover } from "../../../components/popover";
import type { StoredContact } from "../../../supabase/read-contacts";
import { HandlerChoices } from "../changes/contact-actions";
import { EmailText, formatTime, labelOfInterest, mailAddress } from "../data/contact-text";
import { useInboxElements } from "../data/inbox-elements";
import { useTeam } from "../data/team";
import styles from "./contact-details.module.css";

const { columns } = inboxWords;
const { handler } = workWords;

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
      <dt>{workWords.panel.state}</dt>
      <dd>
        <span className={`small strong ${styles.state}`} data-state={state}>
          {inboxWords.states[state]}
        </span>
      </dd>
      {isShared && (
        <>
          <dt>{handler.label}</dt>
          <dd>
            <Popover
              opener={assignOpen}
              variant="plain"
              align="start"
              button={labelOf(contact.handled_by)}
              aria-label={handler.to(labelOf(contact.handled_by))}
              label={handler.label}
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
  const { source, campaign: inCampaign, firstPage } = workWords.panel;
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
