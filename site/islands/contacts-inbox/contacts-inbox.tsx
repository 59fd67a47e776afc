import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { inboxWords } from "#content/inbox";
import { keepsSources } from "#content/visit-sources";
import { ErrorBoundary } from "../../components/error-boundary";
import { lazyContent, Popover } from "../../components/popover";
import { createQueryClient } from "../../hooks/query-client";
import { useHydrated } from "../../hooks/use-hydrated";
import { useLogOutButtons } from "../../hooks/use-log-out-buttons";
import { useOwnSession } from "../../hooks/use-session";
import { goToLogin, goToSecondFactor } from "../../supabase/navigation-intents";
import styles from "./contacts-inbox.module.css";
import { InboxElements } from "./data/inbox-elements";
import { deliveryFailures, useStored } from "./data/query-cache";
import { useAdmin } from "./data/require-admin";
import { ActiveFilters } from "./find/active-filters";
import { SearchAndFilters } from "./find/search-and-filters";
import { useShortcuts } from "./keyboard-commands";
import { type ContactsQuery, useContacts } from "./list/contact-pages";
import { ListNotice } from "./list/list-notice";
import { FailedList, Loading } from "./list/list-state";
import { MoreMenu } from "./list/more-menu";
import { useNewInTitle, useNews } from "./list/use-news";
import { ListAndPanel } from "./list-and-panel";
import { ThisWeek } from "./sources/this-week";

const Sources = lazyContent(async () => (await import("./on-demand")).Sources);
const DeliveryNotice = lazyContent(async () => (await import("./on-demand")).DeliveryNotice);

/** The page with all contacts, for administrators (docs/specification.md#inbox). */
export function ContactsInbox() {
  const [queries] = useState(createQueryClient);
  useLogOutButtons();
  return (
    <div className={styles.inbox}>
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <InboxElements>
            <Inbox />
          </InboxElements>
        </QueryClientProvider>
      </ErrorBoundary>
    </div>
  );
}

/** So many contacts are seen at a glance, so they need no search, no filter and no chart. */
const smallInbox = 20;

function Inbox() {
  const contacts = useContacts(useHydrated());
  const { data: list, isFetching, refetch } = contacts;
  const { error, isAdmin, isLeaving } = useAccess(contacts);
  const isShown = isAdmin && !isLeaving;
  const news = useNews(isAdmin, isFetching);
  useNewInTitle(isShown ? news : undefined);

  const shortcuts = useShortcuts();
  const stored = useStored(isShown);
  const isUnused = stored === 0 && list?.contacts.length === 0;
  const isSmall = stored !== undefined && stored <= smallInbox;

  const hasFailures = useFailedDeliveries(isShown);

  return (
    <>
      <div className={styles.top}>
        <header className={styles.header}>
          <h1>{inboxWords.title}</h1>
          {isShown && !isUnused && (
            <ActiveFilters isOld={contacts.isPlaceholderData} isEmpty={list?.contacts.length === 0} />
          )}
        </header>
        {isShown && !isSmall && <ThisWeek />}
        {isShown && !isUnused && keepsSources && (
          <Popover variant="plain" button={<span>{inboxWords.sources}</span>} label={inboxWords.sources}>
            <Sources />
          </Popover>
        )}
        {isShown && !isUnused && (
          <SearchAndFilters isSmall={isSmall}>
            <MoreMenu openShortcuts={shortcuts.openHelp} />
          </SearchAndFilters>
        )}
      </div>
      <Suspense>{hasFailures && <DeliveryNotice />}</Suspense>
      {isLeaving ? (
        <Loading />
      ) : (
        // The key makes React replace the element: one that moves would count as a layout shift.
        <div
          key={String(isAdmin)}
          data-no-admin={error?.reason === "not-admin"}
          className={list && list.contacts.length > 0 ? styles.listed : undefined}
        >
          {isAdmin && <ListNotice contacts={contacts} />}
          {error && (!list || !error.keepsList) ? (
            <FailedList error={error} retry={refetch} retrying={isFetching} />
          ) : list ? (
            <ListAndPanel contacts={contacts} loaded={list.contacts} shortcuts={shortcuts} />
          ) : (
            <Loading />
          )}
        </div>
      )}
    </>
  );
}

/** Whether a delivery has failed. True from then on, so that the notice can say that it was made up for. */
function useFailedDeliveries(enabled: boolean) {
  const { data } = useQuery({ ...deliveryFailures, enabled });
  const [hasFailed, setHasFailed] = useState(false);
  if (data && data.total > 0 && !hasFailed) setHasFailed(true);
  return enabled && hasFailed;
}

/** Whether the person may see contacts. Who must log in, or use the second factor, is sent there. */
function useAccess(contacts: ContactsQuery) {
  const { error: roleError } = useAdmin();
  // A failed role check hides every list, whichever request asked for it.
  const error = roleError && !roleError.keepsList ? roleError : contacts.error;
  // Once a list was shown, the parts above it stay, even if the list of the next view cannot be read.
  const [wasListed, setWasListed] = useState(false);
  if (contacts.data && !wasListed) setWasListed(true);
  const [isLost, setLost] = useState(false);
  useOwnSession(() => setLost(true), contacts.errorUpdateCount);

  const needsLogin = isLost || error?.reason === "signed-out";
  const needsSecondFactor = error?.reason === "second-factor";
  useEffect(() => {
    if (needsLogin) goToLogin();
    else if (needsSecondFactor) goToSecondFactor();
  }, [needsLogin, needsSecondFactor]);

  return { error, isAdmin: wasListed && (error?.keepsList ?? true), isLeaving: needsLogin || needsSecondFactor };
}
