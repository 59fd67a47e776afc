import { passwordWords } from "#content/auth";
import { type FormOutcome, useForm } from "../hooks/use-form";
import { AccountField } from "./account-field";
import { BusyButton } from "./busy-button";
import { Notice } from "./notice";
import { NewPasswordField, PasswordField } from "./password-field";
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

/** The form for a new password, at the sign-in screen and on the account page. */
export function PasswordForm({ email, error = "", asksCurrent = false, redirecting = false, save }: PasswordFormProps) {
  const { busy, notice, form } = useForm<FormOutcome>(
    { tone: "error", message: error },
    async (answers, fields) => {
      const current = asksCurrent ? String(answers.get("current")) : undefined;
      const saved = await save(String(answers.get("password")), current);
      if (saved.message && saved.tone === "success") fields.reset();
      return saved;
    },
    { redirecting },
  );

  return (
    <>
      <Notice {...notice} />
      <form className={`stack ${styles.form}`} method="post" action="/auth" {...form}>
        <AccountField email={email} />
        {asksCurrent && (
          <PasswordField label={passwordWords.current} name="current" autoComplete="current-password" required />
        )}
        <NewPasswordField />
        <p className="small soft">{passwordWords.others}</p>
        <BusyButton type="submit" busy={busy} busyLabel={passwordWords.busy}>
          {passwordWords.submit}
        </BusyButton>
      </form>
    </>
  );
}
