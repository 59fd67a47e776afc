import { useState } from "react";
import { linkWords } from "#content/auth";
import { Notice } from "../../components/notice";
import { NewPasswordField } from "../../components/password-field";
import { useNotice } from "../../hooks/use-form";
import styles from "./auth-screen.module.css";
import { followLink } from "./next-step";
import { hasOwnSignUp } from "./own-sign-up";
import { StepForm, useStepForm } from "./step-form";
import type { StepProps } from "./step-types";

/**
 * Uses the link up only when the button is pressed: mail scanners open every link and run the scripts of its page. If
 * the sign-up did not begin in this browser, a stranger may have begun it. The form then asks for a new password
 * before the link is used, so that the stranger's password does not survive the confirmation.
 */
export function LinkStep({ step: { link, notice: done = "" }, redirecting, go }: StepProps<"link">) {
  const [asksPassword] = useState(() => link.about === "signup" && !hasOwnSignUp());
  const text = linkWords[link.about];
  const form = useStepForm((answers) => followLink(link, asksPassword ? String(answers.get("password")) : undefined), {
    go,
    redirecting,
  });
  const notice = useNotice({ tone: "success", message: form.busy ? "" : done });

  if (done) return <Notice {...notice} />;
  return (
    <>
      <p className={styles.lead}>{asksPassword ? linkWords.elsewhere.text : text.text}</p>
      <StepForm {...form} submit={text.button} busyLabel={linkWords.busy}>
        {asksPassword && <NewPasswordField />}
      </StepForm>
      {asksPassword && <p className="small soft">{linkWords.elsewhere.remark}</p>}
    </>
  );
}
