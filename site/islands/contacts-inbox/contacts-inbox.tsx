import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { accountWords } from "#content/account";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../components/button";
import { ErrorBoundary } from "../../components/error-boundary";
import { useHydrated } from "../../hooks/use-hydrated";
import { useSession } from "../../hooks/use-session";
import { signOut } from "../../supabase/sign-out";
import styles from "./contacts-inbox.module.css";
import { ContactsList } from "./contacts-list";
import { DeliveryNotice } from "./delivery-notice";
import { ListState } from "./list-state";
import { type Contacts, useContacts } from "./use-contacts";
import { WeeksChart } from "./weeks-chart";

/** The page with all contacts, for administrators (docs/specification.md#inbox). */
export function ContactsInbox() {
  const [queries] = useState(() => new QueryClient());
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
  const contacts = useContacts();
  const total = contacts.data?.total ?? 0;
  const hydrated = useHydrated();
  const [loggingOut, setLoggingOut] = useState(false);
  const [lost, setLost] = useState(false);
  const isAdmin = contacts.data !== undefined && (contacts.error?.reason ?? "failed") === "failed";
  const redirecting = lost || loggingOut || contacts.error?.reason === "signed-out";

  useSession({ onLost: () => setLost(true) }, contacts.errorUpdateCount);
  useEffect(() => {
    // `replace` takes this page out of the history, so that Back does not lead to the contacts again.
    if (redirecting && !loggingOut) window.location.replace("/auth");
  }, [redirecting, loggingOut]);

  async function logOut() {
    setLoggingOut(true);
    await signOut();
    window.location.replace("/auth");
  }

  return (
    <>
      <header className={styles.header}>
        <div className={styles.title}>
          <h1>{inboxWords.title}</h1>
          {total > 0 && !redirecting && <p>{inboxWords.total(total)}</p>}
          <a href={accountWords.link.href}>{accountWords.link.label}</a>
        </div>
        {total > 0 && isAdmin && !redirecting && <WeeksChart />}
        <div className={styles.actions}>
          <Button variant="quiet" href={inboxWords.home.href}>
            {inboxWords.home.label}
          </Button>
          <Button variant="quiet" disabled={!hydrated || loggingOut} onClick={logOut}>
            {inboxWords.logout}
          </Button>
        </div>
      </header>
      {isAdmin && !redirecting && <DeliveryNotice />}
      {redirecting ? <Loading /> : <Contents contacts={contacts} />}
    </>
  );
}

function Contents({ contacts }: { contacts: Contacts }) {
  const { data, error, isPending, isFetching, refetch } = contacts;
  if (isPending) return <Loading />;
  // If a reload fails, the list stays on the screen, unless the person has lost the permission to see it.
  if (error && (!data || error.reason !== "failed"))
    return <ListState error={error} retry={refetch} retrying={isFetching} />;
  if (!data || data.contacts.length === 0) return <ListState />;
  return <ContactsList contacts={contacts} data={data} />;
}

function Loading() {
  return (
    <p className={styles.loading} role="status">
      {inboxMessages.loading}
    </p>
  );
}
