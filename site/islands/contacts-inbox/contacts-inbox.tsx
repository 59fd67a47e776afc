import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { inboxWords } from "#content/inbox";
import { ErrorBoundary } from "../../components/error-boundary";
import { createQueryClient } from "../../hooks/query-client";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useHydrated } from "../../hooks/use-hydrated";
import { useLogOutButton } from "../../hooks/use-log-out-button";
import { useSession } from "../../hooks/use-session";
import type { LoadError } from "../../supabase/load-error";
import { goToLogin, goToSecondFactor } from "../../supabase/return-address";
import styles from "./contacts-inbox.module.css";
import { FindBar } from "./find/find-bar";
import { useInboxView } from "./find/use-inbox-view";
import { DeliveryNotice } from "./list/delivery-notice";
import { ListHead } from "./list/list-head";
import { FailedList, Loading } from "./list/list-state";
import { type ContactsQuery, useContacts } from "./list/use-contacts";
import { useArrivals, useNewInTitle, useNews, useOnline } from "./list/use-news";
import { ListAndPanel } from "./list-and-panel";
import { useAdmin } from "./require-admin";
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
  const location = useInboxView();
  const contacts = useContacts(useHydrated());
  const { data: list, isFetching, isPlaceholderData } = contacts;
  const { error, isAdmin, isLeaving } = useAccess(contacts);
  const isShown = isAdmin && !isLeaving;
  const { news, isUnanswered } = useNews(isAdmin, isFetching);
  const arrivals = useArrivals(location, isPlaceholderData ? undefined : list, news);
  const isOnline = useOnline();
  const isOffline = !isOnline || isUnanswered || error?.reason === "unanswered";
  const busy = useDelayedPending(isPlaceholderData);
  useNewInTitle(isShown ? news : undefined);

  return (
    <>
      <div className={styles.top}>
        <header className={styles.header}>
          <h1>{inboxWords.title}</h1>
          {news && isShown && <p>{inboxWords.newOnes(news.unread, news.unread_is_estimate)}</p>}
        </header>
        {isShown && <WeeksChart />}
      </div>
      {isShown && <DeliveryNotice />}
      {isShown && <FindBar />}
      {isLeaving ? (
        <Loading />
      ) : (
        // With the key, the list is another element than the text in its place, so nothing counts as moved.
        <div key={String(isAdmin)} className={list && list.contacts.length > 0 ? styles.listed : undefined}>
          {isAdmin && (
            <ListHead
              arrivals={arrivals}
              offlineSince={isOffline && list ? new Date(contacts.dataUpdatedAt) : undefined}
              busy={busy}
              isEmpty={list?.contacts.length === 0}
            />
          )}
          <Contents contacts={contacts} error={error} busy={busy} />
        </div>
      )}
    </>
  );
}

/** Whether the person may see contacts. Who must log in, or use the second factor, is sent there. */
function useAccess(contacts: ContactsQuery) {
  const { error: roleError } = useAdmin();
  // A check of the role counts for all lists, also if another request has asked for it.
  const error = roleError && !roleError.keepsList ? roleError : contacts.error;
  // After the first list, what is above the list stays, also if the list of another view cannot be read.
  const [wasListed, setWasListed] = useState(false);
  if (contacts.data && !wasListed) setWasListed(true);
  const [isLost, setLost] = useState(false);
  useSession({ onLost: () => setLost(true) }, contacts.errorUpdateCount);

  const needsLogin = isLost || error?.reason === "signed-out";
  const needsSecondFactor = error?.reason === "second-factor";
  useEffect(() => {
    if (needsLogin) goToLogin();
    else if (needsSecondFactor) goToSecondFactor();
  }, [needsLogin, needsSecondFactor]);

  // The header, which is outside of React, shows the link to the inbox until the role check answers no.
  const isNoAdmin = error?.reason === "not-admin";
  useEffect(() => {
    document.querySelector("[data-for=admins]")?.toggleAttribute("hidden", isNoAdmin);
  }, [isNoAdmin]);

  return { error, isAdmin: wasListed && (error?.keepsList ?? true), isLeaving: needsLogin || needsSecondFactor };
}

interface ContentsProps {
  contacts: ContactsQuery;
  error: LoadError | null;
  busy: boolean;
}

function Contents({ contacts, error, busy }: ContentsProps) {
  const { data: list, isFetching, refetch } = contacts;
  if (error && (!list || !error.keepsList)) return <FailedList error={error} retry={refetch} retrying={isFetching} />;
  if (!list) return <Loading />;
  return <ListAndPanel contacts={contacts} list={list} busy={busy} />;
}
