import type { ComponentProps } from "react";
import styles from "./choice-group.module.css";

interface Choice {
  value: string;
  label: string;
  /** One line that says what the choice means. */
  line: string;
}

interface ChoiceGroupProps extends Omit<ComponentProps<"fieldset">, "className" | "children" | "name"> {
  legend: string;
  /** The name of the radios: the form sends the chosen value under it. */
  name: string;
  choices: readonly Choice[];
  /** The id of the message to read with the group while the choice is missing. */
  errorId?: string;
}

/** One of a few, as cards around native radios; uncontrolled and never `required`, so that our own words appear. */
export function ChoiceGroup({ legend, name, choices, errorId, ...fieldset }: ChoiceGroupProps) {
  return (
    <fieldset {...fieldset} className={styles.group} aria-describedby={errorId}>
      <legend>{legend}</legend>
      <div className={styles.cards}>
        {choices.map(({ value, label, line }) => (
          <label key={value} className={styles.card}>
            <input type="radio" name={name} value={value} aria-describedby={`${name}-${value}-line`} />
            <span className={styles.label}>{label}</span>
            {/* Hidden from the name only: the radio is called by its label, and described by this line. */}
            <span className={styles.line} id={`${name}-${value}-line`} aria-hidden="true">
              {line}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
