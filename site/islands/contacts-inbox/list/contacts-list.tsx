import { useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useSyncExternalStore } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import checkbox from "../../../components/checkbox.module.css";
import { Notice } from "../../../components/notice";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import type { StoredContact } from "../../../supabase/read-contacts";
import { labelOfState, nearestState } from "../changes/contact-actions";
import { useInboxCommands } from "../changes/inbox-commands";
import type { Selection } from "../changes/use-selection";
import { formatShortly, formatTime, labelOfInterest, mailAddress } from "../data/contact-text";
import { type Team, useTeam } from "../data/team";
import { ContactLink, showNewest, useInboxView } from "../find/use-inbox-view";
import { type ContactsQuery, showNewer, showOlder } from "./contact-pages";
import styles from "./contacts-list.module.css";
import { EmptyList, Loading } from "./list-state";
import { swipe } from "./swipe";

interface ContactsListProps {
  contacts: ContactsQuery;
  shown: readonly StoredContact[];
  selection: Selection;
  /** Gets the first contact that a button has brought into the list, so that the keyboard goes on from there. */
  onFirstNew: (id: string | undefined) => void;
}

/** The loaded contacts, and the buttons to the newer and the older ones. */
export function ContactsList({ contacts, shown, selection, onFirstNew }: ContactsListProps) {
  const { error, hasNextPage, hasPreviousPage, isFetchingNextPage, isFetchingPreviousPage } = contacts;
  const isEmpty = shown.length === 0;
  const isDeleted = useInboxView().view.state === "deleted";
  // Changes have emptied the list, and its next page is being read.
  if (isEmpty && contacts.isFetching && contacts.data?.contacts.length) return <Loading />;
  // A list that begins after the last contact has newer ones.
  if (isEmpty && !hasPreviousPage) return <EmptyList />;
  return (
    <>
      {hasPreviousPage && (
        <div className={`soft row ${styles.pager}`}>
          <BusyButton
            variant="tool"
            busy={isFetchingPreviousPage}
            busyLabel={inboxMessages.loading}
            onClick={async () => onFirstNew(await showNewer(contacts))}
          >
            {inboxWords.newer}
          </BusyButton>
          <Button variant="tool" onClick={showNewest}>
            {inboxWords.newest}
          </Button>
        </div>
      )}
      {!isEmpty && <ContactsTable contacts={shown} selection={selection} isOld={contacts.isPlaceholderData} />}
      <div className={`soft row ${styles.pager}`}>
        {hasNextPage && (
          <BusyButton
            variant="tool"
            busy={isFetchingNextPage}
            busyLabel={inboxMessages.loading}
            onClick={async () => onFirstNew(await showOlder(contacts))}
          >
            {inboxWords.older}
          </BusyButton>
        )}
        {!hasNextPage && !contacts.isPlaceholderData && (
          <p>{isEmpty ? inboxWords.noneOlder : shown.length > 1 && inboxWords.end}</p>
        )}
        {isDeleted && <p>{inboxWords.deletedFor}</p>}
        <Notice tone="error">{error ? (error.serverMessage ?? inboxMessages.notLoaded) : ""}</Notice>
      </div>
    </>
  );
}

interface ContactsTableProps extends Pick<ContactsListProps, "selection"> {
  contacts: readonly StoredContact[];
  /** The list is being replaced by that of another view. */
  isOld: boolean;
}

/** The contacts as a table: a row has one line, on narrow screens two, where only screen readers get the heading. */
function ContactsTable({ contacts, selection, isOld }: ContactsTableProps) {
  const busy = useDelayedPending(isOld);
  useToday();
  const team = useTeam();
  const { select, sent, ...columns } = inboxWords.columns;
  return (
    <table className={styles.table} aria-busy={busy} data-shared={team.isShared}>
      <thead>
        <tr>
          <th scope="col" className={styles.select}>
            <span className="visually-hidden">{select}</span>
            <Checkbox
              label={workWords.selection.whole}
              checked={selection.isWhole}
              indeterminate={selection.selected.length > 0 && !selection.isWhole}
              onChange={selection.toggleAll}
            />
          </th>
          {Object.entries(columns).map(([key, column]) => (
            <th key={key} scope="col" className={styles[key]}>
              {column}
            </th>
          ))}
          {team.isShared && (
            <th scope="col" aria-label={workWords.handler.label}>
              {workWords.handler.column}
            </th>
          )}
          <th scope="col" className={styles.sent}>
            {sent}
          </th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => (
          <Row key={contact.id} {...{ contact, selection, team }} />
        ))}
      </tbody>
    </table>
  );
}

/** Draws the rows anew when a day begins, because "15:22" is then yesterday's. The news, which are read all the time, tell. */
function useToday() {
  const cache = useQueryClient().getQueryCache();
  const today = () => new Date().toDateString();
  return useSyncExternalStore((changed) => cache.subscribe(changed), today, today);
}

interface RowProps extends Pick<ContactsTableProps, "selection"> {
  contact: StoredContact;
  team: Team;
}

function Row({ contact, selection, team }: RowProps) {
  const { actions } = useInboxCommands();
  const { view } = useInboxView();
  const { id, name, company, email, interest, state, submitted_at: sentAt } = contact;
  const handler = team.addressOf(contact.handled_by);
  const isMine = contact.handled_by === team.me;
  const nearest = nearestState(contact);
  const swiping = swipe(labelOfState(nearest, [contact]), () => actions.changeState([contact], nearest));
  return (
    <tr {...swiping} onClick={pressLink} data-contact={id} data-state={state} data-open={view.contact === id}>
      <td className={styles.select}>
        <Checkbox
          label={workWords.selection.one(name)}
          checked={selection.has(id)}
          onChange={(event) => selection.toggle(id, "shiftKey" in event && event.shiftKey === true)}
        />
      </td>
      <td className={styles.name}>
        {state === "new" && <span className="visually-hidden">{inboxWords.newMark}</span>}
        <ContactLink id={id}>
          <bdi>{name}</bdi>
        </ContactLink>
        {state === "archived" && view.state === "all" && (
          <span className={styles.reason}> {inboxWords.states.archived}</span>
        )}
      </td>
      <td className={styles.company} data-empty={!company}>
        <bdi>{company || inboxWords.noCompany}</bdi>
      </td>
      <td className={styles.email}>
        <a href={mailAddress(email)}>{email}</a>
      </td>
      <td className={styles.interest}>{labelOfInterest(interest)}</td>
      {team.isShared && <td className={styles.handler}>{handler && <Badge address={handler} isMine={isMine} />}</td>}
      <td className={styles.sent}>
        <time dateTime={sentAt} title={formatTime(sentAt)}>
          {formatShortly(sentAt)}
        </time>
      </td>
      {state === "spam" && <td className={styles.reason}>{contact.spam_reason ?? inboxWords.markedAsSpam}</td>}
    </tr>
  );
}

/** What has a title lies above the link that covers the row, so that the title shows; a press there is one on the link. */
function pressLink({ target, currentTarget, nativeEvent }: MouseEvent<HTMLElement>) {
  if (target instanceof Element && target.closest("[title]"))
    currentTarget.querySelector("a")?.dispatchEvent(new window.MouseEvent("click", nativeEvent));
}

/** Two letters for a person. */
function Badge({ address, isMine }: { address: string; isMine: boolean }) {
  return (
    <span title={address} data-mine={isMine}>
      <span aria-hidden="true">{initialsOf(address)}</span>
      <span className="visually-hidden">{isMine ? workWords.handler.me : address}</span>
    </span>
  );
}

/** "AL" for "ada.lovelace@example.com", "GR" for "grace@example.com". */
function initialsOf(address: string): string {
  const [first = "", second = ""] = address.replace(/@.*/, "").split(/[._+-]+/);
  return ([...first].slice(0, second ? 1 : 2).join("") + [...second].slice(0, 1).join("")).toUpperCase();
}

interface CheckboxProps {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  onChange: (event: Event) => void;
}

function Checkbox({ label, checked, indeterminate = false, onChange }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input
        ref={(input) => {
          if (input) input.indeterminate = indeterminate;
        }}
        type="checkbox"
        className={checkbox.checkbox}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onChange(nativeEvent)}
      />
    </label>
  );
}
