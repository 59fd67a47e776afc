import { type FormEvent, useRef, useTransition } from "react";
import { authWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useFocusOn } from "../../hooks/use-focus-on";
import { useSession } from "../../hooks/use-session";
import type { StepProps } from "./auth-screen";
import styles from "./auth-screen.module.css";
import { authenticate } from "./authenticate";
import { ResendMail } from "./resend-mail";

/**
 * One form for both modes, so that what was typed stays. Until React wakes its only button is disabled, which keeps
 * Enter from sending it too; `method` keeps the password out of the address even so.
 */
export function CredentialsForm({ step, awake, leaving, go }: StepProps<"form"> & { awake: boolean }) {
  const { mode, email } = step;
  const words = authWords[mode];
  const [entering, startEntering] = useTransition();
  const busy = entering || leaving;
  const error = busy ? "" : step.error;
  const notice = useRef<HTMLParagraphElement>(null);

  useFocusOn(notice, error);
  // While a login is under way its own end decides: it has a message to leave first.
  useSession({ found: () => !busy && go({ at: "end", address: "/" }) });

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (busy) return;
    startEntering(async () =>
      go(await authenticate(mode, String(answers.get("email")), String(answers.get("password")))),
    );
  }

  return (
    <>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {error}
      </Notice>
      {error && step.unconfirmed && <ResendMail about="signup" email={email} go={go} />}
      <form className={styles.form} method="post" action="/auth" onSubmit={handle} aria-busy={busy}>
        <Field
          label={authWords.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
        />
        <Field
          label={authWords.password}
          name="password"
          type="password"
          autoComplete={mode === "login" ? "current-password" : "new-password"}
          required
        />
        <Button type="submit" disabled={!awake || busy}>
          {busy ? words.busy : words.submit}
        </Button>
      </form>
    </>
  );
}
