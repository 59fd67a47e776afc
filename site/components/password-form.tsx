import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import { passwordWords } from "#content/auth";
import { useDelayedPending } from "../hooks/use-delayed-pending";
import { useFocusOn } from "../hooks/use-focus-on";
import { Button } from "./button";
import { Field } from "./field";
import { Notice } from "./notice";
import { PasswordField } from "./password-field";
import styles from "./password-form.module.css";

export interface SaveOutcome {
  tone: "success" | "error";
  /** Empty when this form is left behind. */
  message: string;
}

interface PasswordFormProps {
  email: string;
  /** Whoever finds an open session must not be able to take the account over with it. */
  asksCurrent?: boolean;
  leaving?: boolean;
  save: (password: string, current?: string) => Promise<SaveOutcome>;
}

/** A new password, with the address beside it, so that password managers know whose it is. */
export function PasswordForm({ email, asksCurrent = false, leaving = false, save }: PasswordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const [{ tone, message }, submit, saving] = useActionState((_: SaveOutcome, answers: FormData) => {
    return save(String(answers.get("password")), asksCurrent ? String(answers.get("current")) : undefined);
  }, untouched);
  const busy = saving || leaving;
  const late = useDelayedPending(busy);
  const words = busy ? "" : message;

  useFocusOn(notice, words);
  useEffect(() => {
    if (words && tone === "success") form.current?.reset();
  }, [words, tone]);

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (!busy) startTransition(() => submit(answers));
  }

  return (
    <>
      <Notice tone={tone} ref={notice} tabIndex={-1}>
        {words}
      </Notice>
      <form ref={form} className={styles.form} method="post" action="/auth" onSubmit={handle} aria-busy={busy}>
        <Field
          key={email}
          label={passwordWords.account}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          readOnly
        />
        {asksCurrent && (
          <PasswordField
            label={passwordWords.current}
            name="current"
            autoComplete="current-password"
            words={passwordWords}
            required
          />
        )}
        <PasswordField
          label={passwordWords.label}
          hint={passwordWords.hint}
          name="password"
          autoComplete="new-password"
          words={passwordWords}
          required
        />
        <p className={styles.others}>{passwordWords.others}</p>
        {/* Not disabled while it saves, or it would lose the focus. */}
        <Button type="submit" aria-disabled={busy}>
          {late ? passwordWords.busy : passwordWords.submit}
        </Button>
      </form>
    </>
  );
}

const untouched: SaveOutcome = { tone: "error", message: "" };
