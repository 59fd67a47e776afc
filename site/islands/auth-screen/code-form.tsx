import { type FormEvent, startTransition, useActionState, useRef } from "react";
import { authWords, codeWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { NewPasswordField } from "../../components/new-password-field";
import { Notice } from "../../components/notice";
import { OneTimeCodeField, typedCode } from "../../components/one-time-code-field";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { submitCode } from "./next-step";
import { ResendMail } from "./resend-mail";
import { nextWithSession } from "./second-factor-step";
import type { StepProps } from "./step-types";

/** The server accepts five attempts for one code. */
const attemptsMax = 5;

interface Attempts {
  error: string;
  wrong: number;
  /** The step that these attempts belong to. Another mail makes a new step, whose attempts start at zero. */
  step: object;
}

/** Takes the code of a mail in place of its link, for a person who reads the mail on another device. */
export function CodeForm({ step, redirecting, go }: StepProps<"code">) {
  const { about, email, asksPassword } = step;
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const [last, submit, checking] = useActionState(
    async (before: Attempts, answers: FormData) => {
      const address = about === "any" ? String(answers.get("email")) : email;
      const password = asksPassword ? String(answers.get("password")) : undefined;
      const result = await submitCode(about, address, typedCode(answers), password);
      if ("next" in result) go(result.next);
      const wrong = (before.step === step ? before.wrong : 0) + ("isWrongCode" in result ? 1 : 0);
      return { error: "error" in result ? result.error : "", wrong, step };
    },
    { error: "", wrong: 0, step },
  );
  const busy = checking || redirecting;
  const showBusy = useDelayedPending(busy);
  const attempts = last.step === step ? last : undefined;
  const isUsedUp = about !== "any" && (attempts?.wrong ?? 0) >= attemptsMax;
  const error = isUsedUp ? codeWords.noMoreTries : (attempts?.error ?? "");
  const message = busy ? "" : error || step.notice;

  useFocusOn(notice, message, step);
  // A session appears when the link is opened in another tab. The screen then redirects, unless a code is being typed
  // or the next step is the choice of a password.
  const isWaiting = () => about === "signup" && !busy && !form.current?.querySelector("input")?.value;
  useSession({ onFound: (session) => isWaiting() && go(nextWithSession(session)) });

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (!busy) startTransition(() => submit(answers));
  }

  return (
    <>
      <Notice tone={error ? "error" : "success"} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      {!isUsedUp && (
        <>
          <p className={styles.sentTo}>
            {about === "any" ? codeWords.any : <SentTo {...codeWords[about]} email={email} />}
          </p>
          <form ref={form} className={styles.form} method="post" action="/auth" onSubmit={handle} aria-busy={busy}>
            {about === "any" && (
              <Field
                label={authWords.email}
                name="email"
                type="email"
                autoComplete="username"
                defaultValue={email}
                required
              />
            )}
            <OneTimeCodeField label={codeWords.label} hint={codeWords.hint} />
            {asksPassword && <NewPasswordField />}
            {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the request. */}
            <Button type="submit" aria-disabled={busy}>
              {showBusy ? codeWords.busy : codeWords.submit}
            </Button>
          </form>
        </>
      )}
      {about !== "any" && <ResendMail about={about} email={email} go={go} />}
    </>
  );
}

function SentTo({ start, end, email }: { start: string; end: string; email: string }) {
  return (
    <>
      {start}
      <strong>{email}</strong>
      {end}
    </>
  );
}
