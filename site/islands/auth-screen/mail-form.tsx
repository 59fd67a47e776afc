import { authWords, mailWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useForm } from "../../hooks/use-form";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { requestMail } from "./next-step";
import { nextWithSession } from "./second-factor-step";
import type { StepProps } from "./step-types";

/** Asks for the address of a mail: for a forgotten password, or in place of a link that no longer works. */
export function MailForm({ step, go }: StepProps<"mail">) {
  const { about, email } = step;
  const { message, notice, busy, showBusy, onSubmit } = useForm(step.error, async (answers) => {
    const result = await requestMail(about, String(answers.get("email")));
    if ("error" in result) return result.error;
    go(result.next);
    return "";
  });
  // A step with an error does not redirect, so that the message about an expired link can be read.
  useSession({ onFound: (session) => !busy && !step.error && go(nextWithSession(session)) });

  return (
    <>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      {!step.error && <p className={styles.lead}>{mailWords[about].text}</p>}
      <form className={styles.form} method="post" action="/auth" onSubmit={onSubmit} aria-busy={busy}>
        <Field
          label={authWords.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
        />
        {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the request. */}
        <Button type="submit" aria-disabled={busy}>
          {showBusy ? mailWords.sending : mailWords.send}
        </Button>
      </form>
    </>
  );
}
