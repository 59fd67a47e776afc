import { startTransition, useEffect, useState } from "react";
import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { ErrorBoundary } from "../../components/error-boundary";
import { useAwake } from "../use-awake";
import styles from "./auth-screen.module.css";
import { CodeForm } from "./code-form";
import { EntryForm } from "./entry-form";
import { LinkStep } from "./link-step";
import { MailForm } from "./mail-form";
import { NewPassword } from "./new-password";
import { findKeptStep, keepStep, type Next, type Step, start } from "./steps";

/**
 * Login and sign-up (specification, sections 2 and 4), and what a mail leads to. Whoever has a session has no business
 * here, except to choose a password; each step says by itself what a session means to it.
 */
export function AuthScreen() {
  return (
    <ErrorBoundary>
      <Screen />
    </ErrorBoundary>
  );
}

function Screen() {
  const [step, setStep] = useState(start);
  const [destination, setDestination] = useState("");
  const awake = useAwake();

  useEffect(() => {
    const kept = findKeptStep();
    if (kept) setStep(kept);
  }, []);
  useEffect(() => {
    // A full load, and Back does not lead to this screen again.
    if (destination) window.location.replace(destination);
  }, [destination]);

  function go(next: Next) {
    keepStep(next);
    startTransition(() => (next.at === "end" ? setDestination(next.address) : setStep(next)));
  }

  const leaving = destination !== "";
  return (
    <div className={styles.screen} data-asleep={awake ? undefined : true}>
      <h1>{titleOf(step)}</h1>
      <StepView step={step} awake={awake} leaving={leaving} go={go} />
      <div className={styles.ways}>
        {waysFrom(step).map(({ label, to }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the first stays the same button, or it would lose the focus
          <button key={index} type="button" disabled={!awake || leaving} onClick={() => go(to)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

export interface StepProps<At extends Step["at"]> {
  step: Extract<Step, { at: At }>;
  leaving: boolean;
  go: (next: Next) => void;
}

function StepView({ step, awake, ...rest }: { awake: boolean } & StepProps<Step["at"]>) {
  switch (step.at) {
    case "form":
      return <EntryForm step={step} awake={awake} {...rest} />;
    case "mail":
      return <MailForm step={step} {...rest} />;
    case "code":
      return <CodeForm key={step.about} step={step} {...rest} />;
    case "link":
      return <LinkStep step={step} {...rest} />;
    case "password":
      return <NewPassword {...rest} />;
  }
}

function titleOf(step: Step): string {
  switch (step.at) {
    case "form":
      return authWords[step.mode].title;
    case "mail":
      return mailWords[step.about].title;
    case "code":
      return step.about === "signup" ? authWords.signup.title : codeWords.title;
    case "link":
      return linkWords[step.link.about].title;
    case "password":
      return passwordWords.title;
  }
}

interface Way {
  label: string;
  to: Step;
}

/** What else a person may want here. A mailed link and a password to choose are one thing at a time. */
function waysFrom(step: Step): readonly Way[] {
  if (step.at === "link" || step.at === "password") return [];
  const { email } = step;
  const login = { at: "form", mode: "login", email, error: "" } as const;
  if (step.at === "form" && step.mode === "login")
    return [
      { label: authWords.login.toggle, to: { ...login, mode: "signup" } },
      { label: mailWords.forgot, to: { at: "mail", about: "recovery", email, error: "" } },
      { label: codeWords.have, to: { at: "code", about: "any", email, notice: "" } },
    ];
  const isSignUp = step.at === "form" || (step.at === "code" && step.about === "signup");
  return [{ label: isSignUp ? authWords.signup.toggle : authWords.backToLogin, to: login }];
}
