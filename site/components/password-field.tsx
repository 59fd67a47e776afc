import { useState } from "react";
import { passwordWords } from "#content/auth";
import { useAuthSettings } from "../hooks/use-auth-settings";
import { Field, type FieldProps } from "./field";
import styles from "./password-field.module.css";

/** A password field with a button that shows what is typed. */
export function PasswordField(field: FieldProps) {
  const [shown, setShown] = useState(false);
  const verb = shown ? passwordWords.hide : passwordWords.show;
  return (
    <div className={styles.field}>
      <Field {...field} type={shown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <button
        type="button"
        className={styles.toggle}
        aria-label={`${verb} ${passwordWords.subject}`}
        onClick={() => setShown(!shown)}
      >
        {verb}
      </button>
    </div>
  );
}

/** The field for the password that the account has from now on. */
export function NewPasswordField() {
  const settings = useAuthSettings();
  return (
    <PasswordField
      label={passwordWords.label}
      hint={passwordWords.hint(settings?.passwordCharactersMin)}
      name="password"
      autoComplete="new-password"
      required
    />
  );
}
