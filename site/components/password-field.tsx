import { useState } from "react";
import { Field, type FieldProps } from "./field";
import styles from "./password-field.module.css";

interface PasswordFieldProps extends Omit<FieldProps, "type"> {
  words: {
    show: string;
    hide: string;
    /** What is shown and hidden, for those who only hear the button. */
    subject: string;
  };
}

/** A password that can be looked at while it is typed. */
export function PasswordField({ words, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const verb = shown ? words.hide : words.show;
  return (
    <div className={styles.field}>
      <Field {...field} type={shown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <button
        type="button"
        className={styles.toggle}
        aria-label={`${verb} ${words.subject}`}
        onClick={() => setShown(!shown)}
      >
        {verb}
      </button>
    </div>
  );
}
