import { useState } from "react";
import { linkWords } from "#content/auth";
import { Button } from "../../components/button";
import { NewPasswordField } from "../../components/new-password-field";
import { Notice } from "../../components/notice";
import { useFocusOn } from "../../hooks/use-focus-on";
import { useForm } from "../../hooks/use-form";
import styles from "./auth-screen.module.css";
import { followLink } from "./next-step";
import { hasOwnSignUp } from "./own-sign-up";
import type { StepProps } from "./step-types";

/**
 * Uses the link up only when the button is pressed: mail scanners open every link and run the scripts of its page. If
 * the sign-up did not begin in this browser, a stranger may have begun it. The form then asks for a new password
 * before the link is used, so that the stranger's password does not survive the confirmation.
 */
export function LinkStep({ step: { link, notice: done = "" }, redirecting, go }: StepProps<"link">) {
  const [asksPassword] = useState(() => link.about === "signup" && !hasOwnSignUp());
  const text = linkWords[link.about];
  const { message, notice, busy, showBusy, onSubmit } = useForm(
    "",
    async (answers) => {
      const result = await followLink(link, asksPassword ? String(answers.get("password")) : undefined);
      if ("error" in result) return result.error;
      go(result.next);
      return "";
    },
    { redirecting },
  );
  useFocusOn(notice, busy ? "" : done);

  if (done)
    return (
      <Notice tone="success" ref={notice} tabIndex={-1}>
        {done}
      </Notice>
    );
  return (
    <>
      <p className={styles.lead}>{asksPassword ? linkWords.elsewhere.text : text.text}</p>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      <form className={styles.form} method="post" action="/auth" onSubmit={onSubmit} aria-busy={busy}>
        {asksPassword && <NewPasswordField />}
        {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the request. */}
        <Button type="submit" aria-disabled={busy}>
          {showBusy ? linkWords.busy : text.button}
        </Button>
      </form>
      {asksPassword && <p className={styles.remark}>{linkWords.elsewhere.remark}</p>}
    </>
  );
}
