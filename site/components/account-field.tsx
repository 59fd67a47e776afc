import { passwordWords } from "#content/auth";
import { Field } from "./field";

/** The account of a new password: password managers store the password under this address. */
export function AccountField({ email }: { email: string }) {
  return (
    <Field
      key={email}
      label={passwordWords.account}
      name="email"
      type="email"
      autoComplete="username"
      defaultValue={email}
      readOnly
    />
  );
}
