import { passwordWords } from "#content/auth";
import { useForm } from "../hooks/use-form";
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
  const { outcome, message, notice, busy, showBusy, onSubmit } = useForm<FormOutcome>(
    { tone: "error", message: error },
    async (answers, form) => {
      const current = asksCurrent ? String(answers.get("current")) : undefined;
      const saved = await save(String(answers.get("password")), current);
      if (saved.message && saved.tone === "success") form.reset();
      return saved;
    },
    { redirecting },
  );

  return (
    <>
      <Notice tone={outcome.tone} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      <form className={styles.form} method="post" action="/auth" onSubmit={onSubmit} aria-busy={busy}>
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
