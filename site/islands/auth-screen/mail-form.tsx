import { mailWords } from "#content/auth";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { EmailField } from "./email-field";
import { requestMail } from "./next-step";
import { nextWithSession } from "./second-factor-step";
import { StepForm, useStepForm } from "./step-form";
import type { StepProps } from "./step-types";

/** Asks for the address of a mail: for a forgotten password, or in place of a link that no longer works. */
export function MailForm({ step: { about, email, error }, go }: StepProps<"mail">) {
  const form = useStepForm((answers) => requestMail(about, String(answers.get("email"))), { go, error });
  // A step with an error does not redirect, so that the message about an expired link can be read.
  useSession({ onFound: (session) => !form.busy && !error && go(nextWithSession(session)) });

  return (
    <>
      {!error && <p className={styles.lead}>{mailWords[about].text}</p>}
      <StepForm {...form} submit={mailWords.send} busyLabel={mailWords.sending}>
        <EmailField email={email} />
      </StepForm>
    </>
  );
}
