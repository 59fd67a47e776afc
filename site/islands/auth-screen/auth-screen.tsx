import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { ErrorBoundary } from "../../components/error-boundary";
import { useHydrated } from "../../hooks/use-hydrated";
import styles from "./auth-screen.module.css";
import { ChoosePassword } from "./choose-password";
import { CodeForm } from "./code-form";
import { CredentialsForm } from "./credentials-form";
import { LinkStep } from "./link-step";
import { MailForm } from "./mail-form";
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
  const awake = useHydrated();
  const screen = useRef<HTMLDivElement>(null);
  const shown = useRef<Step>(start);

  useEffect(() => {
    const kept = findKeptStep();
    if (kept) setStep(kept);
  }, []);
  useLayoutEffect(() => {
    shown.current = step;
    // A page that has just opened takes no focus, and a step with a message leads to that by itself.
    if (step === start || messageOf(step)) return;
    const field = screen.current?.querySelector<HTMLInputElement>("input:not([readonly])");
    field?.focus();
    // As the Tab key leaves it: what is typed next replaces the address that was taken along.
    field?.select();
  }, [step]);
  useEffect(() => {
    // A full load, and Back does not lead to this screen again.
    if (destination) window.location.replace(destination);
  }, [destination]);

  /**
   * Where an answer leads, together with the end of its waiting. A person who has gone on to another step meanwhile stays
   * there, unless the answer has logged them in.
   */
  function go(next: Next) {
    if (shown.current !== step && next.at !== "end") return;
    keepStep(next);
    startTransition(() => (next.at === "end" ? setDestination(next.address) : setStep(next)));
  }

  /** Where a click leads: at once, so that the next key is for the new step, and with the address that was typed. */
  function change(to: Step) {
    const typed = screen.current?.querySelector<HTMLInputElement>("input[name=email]")?.value;
    const next = "email" in to && typed !== undefined ? { ...to, email: typed } : to;
    keepStep(next);
    setStep(next);
  }

  const leaving = destination !== "";
  return (
    <div ref={screen} className={styles.screen} data-asleep={awake ? undefined : true}>
      <h1>{titleOf(step)}</h1>
      <StepView step={step} awake={awake} leaving={leaving} go={go} />
      <div className={styles.ways}>
        {waysFrom(step).map(({ label, to }) => (
          <button key={label} type="button" disabled={!awake || leaving} onClick={() => change(to)}>
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
      return <CredentialsForm step={step} awake={awake} {...rest} />;
    case "mail":
      return <MailForm step={step} {...rest} />;
    case "code":
      return <CodeForm key={step.about} step={step} {...rest} />;
    case "link":
      return <LinkStep step={step} {...rest} />;
    case "password":
      return <ChoosePassword {...rest} />;
  }
}

function messageOf(step: Step): string {
  if ("error" in step) return step.error;
  return "notice" in step ? step.notice : "";
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
