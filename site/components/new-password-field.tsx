import { passwordWords } from "#content/auth";
import { PasswordField } from "./password-field";

/** The field for the password that the account has from now on. */
export function NewPasswordField() {
  return (
    <PasswordField
      label={passwordWords.label}
      hint={passwordWords.hint}
      name="password"
      autoComplete="new-password"
      text={passwordWords}
      required
    />
  );
}
