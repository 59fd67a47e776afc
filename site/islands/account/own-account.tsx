import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { accountWords } from "#content/account";
import { inboxWords } from "#content/inbox";
import { Button } from "../../components/button";
import { ErrorBoundary } from "../../components/error-boundary";
import { useHydrated } from "../../hooks/use-hydrated";
import { useSession } from "../../hooks/use-session";
import { signOut, signOutHere } from "../../supabase/sign-out";
import { AuditList } from "./audit-list";
import { ChangePassword } from "./change-password";
import { LoadErrorNotice } from "./load-error";
import styles from "./own-account.module.css";
import { owner } from "./queries";
import { Sessions } from "./sessions";

/** One's own password and sessions, for whoever is signed in; and what happened lately, for administrators. */
export function OwnAccount() {
  const [queries] = useState(() => new QueryClient());
  return (
    <div className={styles.page}>
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <Account />
        </QueryClientProvider>
      </ErrorBoundary>
    </div>
  );
}

function Account() {
  const { data, error, refetch, errorUpdateCount } = useQuery(owner);
  const awake = useHydrated();
  const [signingOut, setSigningOut] = useState(false);
  const [lost, setLost] = useState(false);
  const leaving = lost || signingOut || data === null;

  useSession({ lost: () => setLost(true) }, errorUpdateCount);
  useEffect(() => {
    // Back must not lead here again.
    if (leaving && !signingOut) window.location.replace("/auth");
  }, [leaving, signingOut]);

  async function leave(end: () => Promise<void>) {
    setSigningOut(true);
    await end();
    window.location.replace("/auth");
  }

  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>{accountWords.title}</h1>
          {data && !leaving && (
            <p>
              {accountWords.signedInAs(data.email)}
              {data.isAdmin && <a href={accountWords.contacts.href}>{accountWords.contacts.label}</a>}
            </p>
          )}
        </div>
        <div className={styles.actions}>
          <Button variant="quiet" disabled={!awake || signingOut} onClick={() => leave(signOutHere)}>
            {accountWords.sessions.signOutHere}
          </Button>
          <Button variant="quiet" disabled={!awake || signingOut} onClick={() => leave(signOut)}>
            {inboxWords.logout}
          </Button>
        </div>
      </header>
      {error && !data ? (
        <LoadErrorNotice error={error} tryAgain={refetch} />
      ) : !data || leaving ? (
        <p className={styles.loading} role="status">
          {accountWords.loading}
        </p>
      ) : (
        <div className={styles.parts}>
          <ChangePassword email={data.email} />
          <Sessions />
          {data.isAdmin && <AuditList />}
        </div>
      )}
    </>
  );
}
