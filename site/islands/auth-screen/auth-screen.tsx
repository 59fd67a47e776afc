import { startTransition, useEffect, useState, useTransition } from "react";
import { authWords } from "#content/auth";
import { ErrorBoundary } from "../../components/error-boundary";
import { useAwake } from "../use-awake";
import { useSession } from "../use-session";
import styles from "./auth-screen.module.css";
import { enter, type Step } from "./enter";
import { EntryForm } from "./entry-form";
import { MailSent } from "./mail-sent";

const start: Step = { at: "form", mode: "login", email: "", error: "" };

/** Login and sign-up (specification, sections 2 and 4). Whoever has a session has no business here. */
export function AuthScreen() {
  return (
    <ErrorBoundary>
      <Screen />
    </ErrorBoundary>
  );
}

function Screen() {
  const [step, setStep] = useState(start);
  const [entering, startEntering] = useTransition();
  const awake = useAwake();

  const { mode, email } = step;
  const leaving = step.at === "leaving";
  const busy = entering || leaving;

  // While a login is under way its own end decides: it has a message to leave first.
  useSession({ found: () => !entering && goHome() });
  useEffect(() => {
    if (leaving) goHome();
  }, [leaving]);

  function submit(email: string, password: string) {
    startEntering(async () => {
      const next = await enter(mode, email, password);
      startTransition(() => setStep(next));
    });
  }

  function toggle() {
    setStep({ at: "form", mode: mode === "login" ? "signup" : "login", email, error: "" });
  }

  return (
    <div className={styles.screen}>
      <h1>{authWords[mode].title}</h1>
      {step.at === "mail-sent" ? (
        <MailSent email={email} />
      ) : (
        <EntryForm step={step} awake={awake} busy={busy} submit={submit} />
      )}
      <button type="button" className={styles.toggle} disabled={!awake || busy} onClick={toggle}>
        {authWords[mode].toggle}
      </button>
    </div>
  );
}

/** A full load, and Back does not lead to this screen again. */
function goHome() {
  window.location.replace("/");
}
