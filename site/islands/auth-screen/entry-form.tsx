import { type FormEvent, useEffect, useRef } from "react";
import { authWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import styles from "./auth-screen.module.css";
import type { Step } from "./enter";
import { MailAgain } from "./mail-again";

interface EntryFormProps {
  step: Exclude<Step, { at: "mail-sent" }>;
  awake: boolean;
  busy: boolean;
  submit: (email: string, password: string) => void;
}

/**
 * One form for both modes, so that what was typed stays. Until React wakes its only button is disabled, which keeps
 * Enter from sending it too; `method` keeps the password out of the address even so.
 */
export function EntryForm({ step, awake, busy, submit }: EntryFormProps) {
  const { mode, email } = step;
  const words = authWords[mode];
  const error = step.at === "form" && !busy ? step.error : "";
  const notice = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (error) notice.current?.focus();
  }, [error]);

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (!busy) submit(String(answers.get("email")), String(answers.get("password")));
  }

  return (
    <>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {error}
      </Notice>
      {error && step.at === "form" && step.unconfirmed && <MailAgain email={email} />}
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
