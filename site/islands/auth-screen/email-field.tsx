import { authWords } from "#content/auth";
import { Field } from "../../components/field";

/** The address of the account; password managers look for it in this field. */
export function EmailField({ email }: { email: string }) {
  return (
    <Field label={authWords.email} name="email" type="email" autoComplete="username" defaultValue={email} required />
  );
}
