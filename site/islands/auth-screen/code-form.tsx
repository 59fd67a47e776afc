import { useRef } from "react";
import { codeWords } from "#content/auth";
import { AccountField } from "../../components/account-field";
import { BusyButton } from "../../components/busy-button";
import { Notice } from "../../components/notice";
import { OneTimeCodeField, typedCode } from "../../components/one-time-code-field";
import { NewPasswordField } from "../../components/password-field";
import { type FormOutcome, useForm, useNotice } from "../../hooks/use-form";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { EmailField } from "./email-field";
import { submitCode } from "./next-step";
import { ResendMail } from "./resend-mail";
import { nextWithSession } from "./second-factor-step";
import type { StepProps } from "./step-types";

/** The server accepts five attempts for one code. */
const attemptsMax = 5;

interface Attempts extends FormOutcome {
  wrong: number;
  /** The step that these attempts belong to. Another mail makes a new step, whose attempts start at zero. */
  step: object;
}

/** Takes the code of a mail in place of its link, for a person who reads the mail on another device. */
export function CodeForm({ step, redirecting, go }: StepProps<"code">) {
  const { about, email, asksPassword } = step;
  const fields = useRef<HTMLFormElement>(null);
  const none: Attempts = { tone: "success", message: step.notice, wrong: 0, step };

  const { outcome, busy, form } = useForm<Attempts>(
    none,
    async (answers) => {
      const address = about === "any" ? String(answers.get("email")) : email;
      const password = asksPassword ? String(answers.get("password")) : undefined;
      const result = await submitCode(about, address, typedCode(answers), password);
      if ("next" in result) go(result.next);
      const wrong = attempts.wrong + ("isWrongCode" in result ? 1 : 0);
      return "error" in result ? { tone: "error", message: result.error, wrong, step } : none;
    },
    { redirecting },
  );
  const attempts: Attempts = outcome.step === step ? outcome : none;
  const isUsedUp = about !== "any" && attempts.wrong >= attemptsMax;
  const message = busy ? "" : isUsedUp ? codeWords.noMoreTries : attempts.message;
  const notice = useNotice({ tone: attempts.tone, message }, step);

  // A session appears when the link is opened in another tab. The screen then redirects, unless a code is being typed
  // or the next step is the choice of a password.
  const isWaiting = () => about === "signup" && !busy && !fields.current?.querySelector("input")?.value;
  useSession({ onFound: (session) => isWaiting() && go(nextWithSession(session)) });

  return (
    <>
      <Notice {...notice} />
      {!isUsedUp && (
        <form ref={fields} className={`stack ${styles.form}`} method="post" action="/auth" {...form}>
          <p className={styles.sentTo}>
            {about === "any" ? codeWords.any : <SentTo {...codeWords[about]} email={email} />}
          </p>
          {about === "any" ? <EmailField email={email} /> : asksPassword && <AccountField email={email} />}
          <OneTimeCodeField label={codeWords.label} hint={codeWords.hint} />
          {asksPassword && <NewPasswordField />}
          <BusyButton type="submit" busy={busy} busyLabel={codeWords.busy}>
            {codeWords.submit}
          </BusyButton>
        </form>
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
