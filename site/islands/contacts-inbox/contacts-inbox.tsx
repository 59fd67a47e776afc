import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { ErrorBoundary } from "../../components/error-boundary";
import { createQueryClient } from "../../hooks/query-client";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useHydrated } from "../../hooks/use-hydrated";
import { useLogOutButton } from "../../hooks/use-log-out-button";
import { useSession } from "../../hooks/use-session";
import { goToLogin, goToSecondFactor } from "../../supabase/return-address";
import type { User } from "../../supabase/session";
import styles from "./contacts-inbox.module.css";
import { FindBar } from "./find/find-bar";
import { type Location, useView } from "./find/use-view";
import { ContactsList } from "./list/contacts-list";
import { DeliveryNotice } from "./list/delivery-notice";
import { ListLine, ListNotices, useNewInTitle } from "./list/list-head";
import { ListState } from "./list/list-state";
import { type ContactsQuery, useContacts } from "./list/use-contacts";
import { useArrivals, useNews, useOnline } from "./list/use-news";
import type { LoadError } from "./load-error";
import { roleKey } from "./query-keys";
import { Triage } from "./triage";
import { WeeksChart } from "./weeks/weeks-chart";

/** The page with all contacts, for administrators (docs/specification.md#inbox). */
export function ContactsInbox() {
  const [queries] = useState(createQueryClient);
  useLogOutButton();
  return (
    <div className={styles.inbox}>
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <Inbox />
        </QueryClientProvider>
      </ErrorBoundary>
    </div>
  );
}

function Inbox() {
  const hydrated = useHydrated();
  const location = useView();
  const contacts = useContacts(hydrated);
  const { data: list } = contacts;
  const { error: roleError } = useQuery<User, LoadError>({ queryKey: roleKey, enabled: false });
  // A check of the role counts for all lists, also if another request has asked for it.
  const error = roleError && !roleError.keepsList ? roleError : contacts.error;
  // After the first list, what is above the list stays, also if the list of another view cannot be read.
  const [wasListed, setWasListed] = useState(false);
  if (list && !wasListed) setWasListed(true);
  const isAdmin = wasListed && (error?.keepsList ?? true);
  const { news, isUnanswered } = useNews(isAdmin);
  const arrivals = useArrivals(location, contacts.isPlaceholderData ? undefined : list, news);
  const isOnline = useOnline();
  const isOffline = !isOnline || isUnanswered || error?.reason === "unanswered";
  const busy = useDelayedPending(contacts.isPlaceholderData);
  const [lost, setLost] = useState(false);
  const needsSecondFactor = error?.reason === "second-factor";
  const redirecting = lost || needsSecondFactor || error?.reason === "signed-out";
  useNewInTitle(isAdmin && !redirecting ? news : undefined);
  useHiddenInboxLink(error?.reason === "not-admin");

  useSession({ onLost: () => setLost(true) }, contacts.errorUpdateCount);
  useEffect(() => {
    if (!redirecting) return;
    if (needsSecondFactor && !lost) goToSecondFactor();
    else goToLogin();
  }, [redirecting, needsSecondFactor, lost]);

  return (
    <>
      <div className={styles.top}>
        <header className={styles.header}>
          <h1>{inboxWords.title}</h1>
          {news && isAdmin && !redirecting && <p>{inboxWords.newOnes(news.unread, news.unread_is_estimate)}</p>}
        </header>
        {isAdmin && !redirecting && <WeeksChart />}
      </div>
      {isAdmin && !redirecting && <DeliveryNotice />}
      {isAdmin && !redirecting && <FindBar />}
      {redirecting ? (
        <Loading />
      ) : (
        // With the key, the list is another element than the text in its place, so nothing counts as moved.
        <div key={String(isAdmin)} className={list && list.contacts.length > 0 ? styles.listed : undefined}>
          {isAdmin && (
            <ListNotices
              arrivals={arrivals}
              offlineSince={isOffline && list ? new Date(contacts.dataUpdatedAt) : undefined}
            />
          )}
          {isAdmin && <ListLine busy={busy} isEmpty={list?.contacts.length === 0} />}
          <Contents
            contacts={contacts}
            error={error}
            location={location}
            busy={busy}
            hasAny={Boolean(news?.newest_at)}
          />
        </div>
      )}
    </>
  );
}

interface ContentsProps {
  contacts: ContactsQuery;
  error: LoadError | null;
  location: Location;
  busy: boolean;
  hasAny: boolean;
}

function Contents({ contacts, error, location, busy, hasAny }: ContentsProps) {
  const { data: list, isPending, isFetching, refetch } = contacts;
  if (error && (!list || !error.keepsList)) return <ListState error={error} retry={refetch} retrying={isFetching} />;
  if (isPending || !list) return <Loading />;
  const { view } = location;
  const reading = contacts.isPlaceholderData ? undefined : location.reading;
  return (
    <Triage contacts={contacts} list={list} busy={busy}>
      {(table) => {
        // Changes have emptied the list, and its next page is being read.
        if (table.contacts.length === 0 && list.contacts.length > 0 && isFetching) return <Loading />;
        // A list that begins after the last contact has newer ones.
        if (table.contacts.length === 0 && !contacts.hasPreviousPage) return <ListState view={view} hasAny={hasAny} />;
        return <ContactsList contacts={contacts} table={table} reading={reading} />;
      }}
    </Triage>
  );
}

/** The header, which is outside of React, shows the link to the inbox until the role check answers no. */
function useHiddenInboxLink(isHidden: boolean) {
  useEffect(() => {
    document.querySelector("[data-for=admins]")?.toggleAttribute("hidden", isHidden);
  }, [isHidden]);
}

function Loading() {
  const isSlow = useDelayedPending(true, 3000);
  return (
    <p className={styles.loading} role="status">
      {inboxMessages.loading}
      {isSlow && ` ${inboxWords.slow}`}
    </p>
  );
}
