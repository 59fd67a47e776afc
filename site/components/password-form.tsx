import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import { passwordWords } from "#content/auth";
import { useDelayedPending } from "../hooks/use-delayed-pending";
import { useFocusOn } from "../hooks/use-focus-on";
import { Button } from "./button";
import { Field } from "./field";
import { NewPasswordField } from "./new-password-field";
import { type FormOutcome, Notice } from "./notice";
import { PasswordField } from "./password-field";
import styles from "./password-form.module.css";

interface PasswordFormProps {
  email: string;
  /** Why a password was refused before this form was shown. */
  error?: string;
  /** Requires the current password, so that an unattended session does not give the account away. */
  asksCurrent?: boolean;
  redirecting?: boolean;
  save: (password: string, current?: string) => Promise<FormOutcome>;
}

/** The form has a field for the email address, because password managers store the password under that address. */
export function PasswordForm({ email, error = "", asksCurrent = false, redirecting = false, save }: PasswordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const [{ tone, message }, submit, saving] = useActionState(
    (_: FormOutcome, data: FormData) => {
      return save(String(data.get("password")), asksCurrent ? String(data.get("current")) : undefined);
    },
    { tone: "error", message: error },
  );
  const busy = saving || redirecting;
  const showBusy = useDelayedPending(busy);
  const shownMessage = busy ? "" : message;

  useFocusOn(notice, shownMessage);
  useEffect(() => {
    if (shownMessage && tone === "success") form.current?.reset();
  }, [shownMessage, tone]);

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (!busy) startTransition(() => submit(data));
  }

  return (
    <>
      <Notice tone={tone} ref={notice} tabIndex={-1}>
        {shownMessage}
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
            text={passwordWords}
            required
          />
        )}
        <NewPasswordField />
        <p className={styles.others}>{passwordWords.others}</p>
        {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the request. */}
        <Button type="submit" aria-disabled={busy}>
          {showBusy ? passwordWords.busy : passwordWords.submit}
        </Button>
      </form>
    </>
  );
}
