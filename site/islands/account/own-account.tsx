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
import { LoadErrorNotice } from "./load-error-notice";
import styles from "./own-account.module.css";
import { owner } from "./queries";
import { Sessions } from "./sessions";

/** The page on which people manage their own account (docs/specification.md#own-account). */
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
  const hydrated = useHydrated();
  const [signingOut, setSigningOut] = useState(false);
  const [lost, setLost] = useState(false);
  const redirecting = lost || signingOut || data === null;

  useSession({ onLost: () => setLost(true) }, errorUpdateCount);
  useEffect(() => {
    // `replace` takes this page out of the history, so that Back does not lead here again.
    if (redirecting && !signingOut) window.location.replace("/auth");
  }, [redirecting, signingOut]);

  async function endSession(end: () => Promise<void>) {
    setSigningOut(true);
    await end();
    window.location.replace("/auth");
  }

  return (
    <>
      <header className={styles.header}>
        <div>
          <h1>{accountWords.title}</h1>
          {data && !redirecting && (
            <p>
              {accountWords.signedInAs(data.email)}
              {data.isAdmin && <a href={accountWords.contacts.href}>{accountWords.contacts.label}</a>}
            </p>
          )}
        </div>
        <div className={styles.actions}>
          <Button variant="quiet" disabled={!hydrated || signingOut} onClick={() => endSession(signOutHere)}>
            {accountWords.sessions.signOutHere}
          </Button>
          <Button variant="quiet" disabled={!hydrated || signingOut} onClick={() => endSession(signOut)}>
            {inboxWords.logout}
          </Button>
        </div>
      </header>
      {error && !data ? (
        <LoadErrorNotice error={error} retry={refetch} />
      ) : !data || redirecting ? (
        <p className={styles.loading} role="status">
          {accountWords.loading}
        </p>
      ) : (
        <div className={styles.sections}>
          <ChangePassword email={data.email} />
          <Sessions />
          {data.isAdmin && <AuditList />}
        </div>
      )}
    </>
  );
}
