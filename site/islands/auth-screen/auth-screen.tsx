import { useRef, useState } from "react";
import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { outcomeWords } from "#content/outcomes";
import { secondFactorStepWords } from "#content/second-factor-step";
import { ErrorBoundary } from "../../components/error-boundary";
import { PasswordForm } from "../../components/password-form";
import { useAuthSettings } from "../../hooks/use-auth-settings";
import type { FormOutcome } from "../../hooks/use-form";
import { useHydrated } from "../../hooks/use-hydrated";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { CodeForm } from "./code-form";
import { CredentialsForm } from "./credentials-form";
import { LinkStep } from "./link-step";
import { MailForm } from "./mail-form";
import { choosePassword } from "./next-step";
import { OutcomeStep } from "./outcome-step";
import { SecondFactorForm } from "./second-factor-form";
import { SessionLinkStep } from "./session-link-step";
import { type Step, type StepProps, start } from "./step-types";
import { useSteps } from "./use-steps";

/**
 * The login and its other steps (docs/specification.md#sign-in-screen). Each step decides whether it redirects a person
 * who is signed in.
 */
export function AuthScreen() {
  return (
    <ErrorBoundary>
      <Screen />
    </ErrorBoundary>
  );
}

function Screen() {
  const screen = useRef<HTMLDivElement>(null);
  const { step, redirecting, go, change } = useSteps(screen);
  const hydrated = useHydrated();
  const signUpIsOpen = useAuthSettings()?.signUpIsOpen ?? true;

  return (
    <div ref={screen} className={`stack ${styles.screen}`} data-hydrated={hydrated}>
      <h1>{titleOf(step)}</h1>
      {isSignUp(step) && !signUpIsOpen ? (
        <p className={styles.lead} role="status">
          {authWords.signUpClosed.text}
        </p>
      ) : (
        <StepView step={step} hydrated={hydrated} redirecting={redirecting} go={go} />
      )}
      <div className={styles.alternatives}>
        {alternativesTo(step).map(({ label, to }) =>
          isSignUp(to) && !signUpIsOpen ? (
            // As high as the button, because the answer of the server comes when the screen is shown already.
            <p key={label} className="soft target">
              {authWords.signUpClosed.short}
            </p>
          ) : (
            <button
              key={label}
              type="button"
              className="bare label link target"
              disabled={!hydrated || redirecting}
              onClick={() => change(to)}
            >
              {label}
            </button>
          ),
        )}
      </div>
    </div>
  );
}

function StepView({ step, hydrated, ...rest }: { hydrated: boolean } & StepProps<Step["at"]>) {
  switch (step.at) {
    case "form":
      return <CredentialsForm step={step} hydrated={hydrated} {...rest} />;
    case "mail":
      return <MailForm step={step} {...rest} />;
    case "code":
      return <CodeForm key={step.about} step={step} {...rest} />;
    case "link":
      return <LinkStep step={step} {...rest} />;
    case "second-factor":
      return <SecondFactorForm step={step} {...rest} />;
    case "password":
      return <ChoosePassword step={step} {...rest} />;
    case "session-link":
      return <SessionLinkStep step={step} {...rest} />;
    case "outcome":
      return <OutcomeStep step={step} {...rest} />;
  }
}

function ChoosePassword({ step, redirecting, go }: StepProps<"password">) {
  const [email, setEmail] = useState("");
  useSession({ onFound: ({ user }) => setEmail(user.email ?? "") });

  async function save(password: string): Promise<FormOutcome> {
    const result = await choosePassword(password, step.codesLeft);
    if ("next" in result) go(result.next);
    return { tone: "error", message: "error" in result ? result.error : "" };
  }
  return <PasswordForm email={email} error={step.error} redirecting={redirecting} save={save} />;
}

function isSignUp(step: Step): boolean {
  return step.at === "form" && step.mode === "signup";
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
    case "second-factor":
      return step.by === "app" ? secondFactorStepWords.title : secondFactorStepWords.recovery.title;
    case "password":
      return passwordWords.title;
    case "session-link":
    case "outcome":
      return outcomeWords.title;
  }
}

interface Alternative {
  label: string;
  to: Step;
}

/** Returns the buttons that lead to other steps. The steps of a link, of a new password and of a success have none. */
function alternativesTo(step: Step): readonly Alternative[] {
  if (step.at === "link" || step.at === "session-link" || step.at === "password") return [];
  if (step.at === "outcome") return step.tone === "error" ? [{ label: authWords.backToLogin, to: { ...start } }] : [];
  if (step.at === "second-factor")
    return [
      step.by === "app"
        ? { label: secondFactorStepWords.lost, to: { ...step, by: "recovery" } }
        : { label: secondFactorStepWords.recovery.back, to: { ...step, by: "app" } },
      { label: secondFactorStepWords.someoneElse, to: { ...start } },
    ];
  const { email } = step;
  const login = { at: "form", mode: "login", email, error: "" } as const;
  if (step.at === "form" && step.mode === "login")
    return [
      { label: authWords.login.toggle, to: { ...login, mode: "signup" } },
      { label: mailWords.forgot, to: { at: "mail", about: "recovery", email, error: "" } },
      { label: codeWords.have, to: { at: "code", about: "any", email, notice: "", asksPassword: true } },
    ];
  const isAfterSignUp = step.at === "form" || (step.at === "code" && step.about === "signup");
  return [{ label: isAfterSignUp ? authWords.signup.toggle : authWords.backToLogin, to: login }];
}
