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

/** What visitors sent, for administrators (specification, sections 2 and 4). */
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
  const awake = useHydrated();
  const [loggingOut, setLoggingOut] = useState(false);
  const [lost, setLost] = useState(false);
  const isReader = contacts.data !== undefined && (contacts.error?.why ?? "failed") === "failed";
  const leaving = lost || loggingOut || contacts.error?.why === "signed-out";

  useSession({ lost: () => setLost(true) }, contacts.errorUpdateCount);
  useEffect(() => {
    // Back must not lead to the contacts again.
    if (leaving && !loggingOut) window.location.replace("/auth");
  }, [leaving, loggingOut]);

  async function logOut() {
    setLoggingOut(true);
    await signOut();
    window.location.replace("/auth");
  }

  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>{inboxWords.title}</h1>
          {total > 0 && !leaving && <p>{inboxWords.total(total)}</p>}
          <a href={accountWords.link.href}>{accountWords.link.label}</a>
        </div>
        {total > 0 && isReader && !leaving && <WeeksChart />}
        <div className={styles.actions}>
          <Button variant="quiet" href={inboxWords.home.href}>
            {inboxWords.home.label}
          </Button>
          <Button variant="quiet" disabled={!awake || loggingOut} onClick={logOut}>
            {inboxWords.logout}
          </Button>
        </div>
      </header>
      {isReader && !leaving && <DeliveryNotice />}
      {leaving ? <Loading /> : <Contents contacts={contacts} />}
    </>
  );
}

function Contents({ contacts }: { contacts: Contacts }) {
  const { data, error, isPending, isFetching, refetch } = contacts;
  if (isPending) return <Loading />;
  // A list that is shown stays while a later reading fails, unless it is no longer this person's to read.
  if (error && (!data || error.why !== "failed"))
    return <ListState reason={error} tryAgain={refetch} trying={isFetching} />;
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
