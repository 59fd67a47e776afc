import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { ErrorBoundary } from "../../components/error-boundary";
import { useLogOutButton } from "../../hooks/use-log-out-button";
import { useSession } from "../../hooks/use-session";
import { goToLogin } from "../../supabase/return-address";
import styles from "./contacts-inbox.module.css";
import { ContactsList } from "./contacts-list";
import { DeliveryNotice } from "./delivery-notice";
import { ListState } from "./list-state";
import { type Contacts, useContacts } from "./use-contacts";
import { WeeksChart } from "./weeks-chart";

/** The page with all contacts, for administrators (docs/specification.md#inbox). */
export function ContactsInbox() {
  const [queries] = useState(() => new QueryClient());
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
  const contacts = useContacts();
  const total = contacts.data?.total ?? 0;
  const [lost, setLost] = useState(false);
  const isAdmin = contacts.data !== undefined && (contacts.error?.reason ?? "failed") === "failed";
  const redirecting = lost || contacts.error?.reason === "signed-out";

  useSession({ onLost: () => setLost(true) }, contacts.errorUpdateCount);
  useEffect(() => {
    if (redirecting) goToLogin();
  }, [redirecting]);

  return (
    <>
      <header className={styles.header}>
        <div className={styles.title}>
          <h1>{inboxWords.title}</h1>
          {total > 0 && !redirecting && <p>{inboxWords.total(total)}</p>}
        </div>
        {total > 0 && isAdmin && !redirecting && <WeeksChart />}
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
