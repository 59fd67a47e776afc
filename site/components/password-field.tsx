import { useState } from "react";
import { Field, type FieldProps } from "./field";
import styles from "./password-field.module.css";

interface PasswordFieldProps extends Omit<FieldProps, "type"> {
  text: {
    show: string;
    hide: string;
    /** Completes the accessible name of the button, as in "Show what is typed". */
    subject: string;
  };
}

/** A password field with a button that shows what is typed. */
export function PasswordField({ text, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const verb = shown ? text.hide : text.show;
  return (
    <div className={styles.field}>
      <Field {...field} type={shown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <button
        type="button"
        className={styles.toggle}
        aria-label={`${verb} ${text.subject}`}
        onClick={() => setShown(!shown)}
      >
        {verb}
      </button>
    </div>
  );
}
