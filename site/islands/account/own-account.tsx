import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { accountWords } from "#content/account";
import { passwordWords } from "#content/auth";
import { Button } from "../../components/button";
import { ErrorBoundary } from "../../components/error-boundary";
import { PasswordForm } from "../../components/password-form";
import { createQueryClient } from "../../hooks/query-client";
import type { FormOutcome } from "../../hooks/use-form";
import { useHydrated } from "../../hooks/use-hydrated";
import { useLogOutButtons } from "../../hooks/use-log-out-buttons";
import { useOwnSession } from "../../hooks/use-session";
import { savePassword } from "../../supabase/mail-codes";
import { goToLogin, logOut } from "../../supabase/navigation-intents";
import { ChangeEmail } from "./change-email";
import { LoadErrorNotice } from "./load-error-notice";
import styles from "./own-account.module.css";
import { owner } from "./queries";
import { refusalOf } from "./refusal-of";
import { SecondFactor, secondFactorId } from "./second-factor";

/** The page on which people manage their own account (docs/specification.md#own-account). */
export function OwnAccount() {
  const [queries] = useState(createQueryClient);
  useLogOutButtons();
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
  const [lost, setLost] = useState(false);
  const redirecting = lost || data === null;

  useOwnSession(() => setLost(true), errorUpdateCount);
  useEffect(() => {
    if (redirecting) goToLogin();
  }, [redirecting]);

  function endSession() {
    setLost(true);
    logOut("local");
  }

  return (
    <>
      <header className={`row ${styles.header}`}>
        <div>
          <h1>{accountWords.title}</h1>
          <p className="soft">
            {data && !redirecting && (
              <>
                {accountWords.loggedInAs} <span className={styles.address}>{data.email}</span>
              </>
            )}
          </p>
        </div>
        <Button variant="quiet" disabled={!hydrated || redirecting} onClick={endSession}>
          {accountWords.logOutHere}
        </Button>
      </header>
      {error && !data ? (
        <LoadErrorNotice error={error} retry={refetch} />
      ) : !data || redirecting ? (
        // Until the section is loaded, its address leads here.
        <p id={secondFactorId} className={`soft ${styles.loading}`} role="status">
          {accountWords.loading}
        </p>
      ) : (
        <div className={styles.sections}>
          <div className={styles.column}>
            <ChangePassword email={data.email} />
            <ChangeEmail email={data.email} />
          </div>
          <div className={styles.column}>
            <SecondFactor email={data.email} isAdmin={data.isAdmin} />
          </div>
        </div>
      )}
    </>
  );
}

function ChangePassword({ email }: { email: string }) {
  async function save(password: string, current?: string): Promise<FormOutcome> {
    const result = await savePassword(password, current);
    if (!result.ok) return { tone: "error", message: refusalOf(result, passwordWords.failed) };
    return { tone: "success", message: accountWords.password.saved };
  }

  return (
    <section>
      <h2>{accountWords.password.title}</h2>
      <PasswordForm email={email} asksCurrent save={save} />
    </section>
  );
}
