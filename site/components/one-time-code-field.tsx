import { Field } from "./field";

/**
 * A field for six digits from a mail or an authenticator app, which phones and password managers fill in. It has no
 * `maxLength`, because mails and apps show the code with a space, which is pasted with it (`typedCode`).
 */
export function OneTimeCodeField({ label, hint }: { label: string; hint: string }) {
  return <Field label={label} hint={hint} name="code" inputMode="numeric" autoComplete="one-time-code" required />;
}

/** The digits that were typed or pasted, without the spaces and dashes between them. */
export function typedCode(answers: FormData): string {
  return String(answers.get("code")).replace(/[\s-]/g, "");
}
