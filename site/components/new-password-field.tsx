import { passwordWords } from "#content/auth";
import { useAuthSettings } from "../hooks/use-auth-settings";
import { PasswordField } from "./password-field";

/** The field for the password that the account has from now on. */
export function NewPasswordField() {
  const settings = useAuthSettings();
  return (
    <PasswordField
      label={passwordWords.label}
      hint={passwordWords.hint(settings?.passwordCharactersMin)}
      name="password"
      autoComplete="new-password"
      text={passwordWords}
      required
    />
  );
}
