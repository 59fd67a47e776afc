import type { ComponentProps } from "react";
import styles from "./field.module.css";

export interface FieldProps extends Omit<ComponentProps<"input">, "className"> {
  name: string;
  label: string;
  /** One line of help, shown from the start. */
  hint?: string;
  /** What is wrong with the value. While there is an error, the input is marked as invalid. */
  error?: string;
}

/** A labelled input. It is uncontrolled, so text that was typed before hydration stays. */
export function Field({ label, hint, error, id, ...input }: FieldProps) {
  const inputId = id ?? `field-${input.name}`;
  const hintId = hint && `${inputId}-hint`;
  const errorId = error && `${inputId}-error`;
  const describedBy = [errorId, hintId].filter(Boolean).join(" ");

  return (
    <div className={styles.field}>
      <label htmlFor={inputId} className="strong">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="caption">
          {hint}
        </p>
      )}
      <input
        {...input}
        id={inputId}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {error && (
        <p id={errorId} className={`caption strong ${styles.error}`}>
          {error}
        </p>
      )}
    </div>
  );
}
