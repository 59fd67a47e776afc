import type { ComponentProps } from "react";
import styles from "./choice-group.module.css";

interface Choice {
  value: string;
  label: string;
  /** One line that explains the choice. */
  line?: string;
}

interface ChoiceGroupProps extends Omit<ComponentProps<"fieldset">, "className" | "children" | "name"> {
  legend: string;
  /** The name of the radio buttons, under which the form sends the chosen value. */
  name: string;
  choices: readonly Choice[];
  /** The value that is chosen at the start; without it none is. */
  chosen?: string;
  /** The id of the message about a missing choice. */
  errorId?: string;
}

/** Native radio buttons in cards. They are not `required`, so that our own message appears instead of the browser's. */
export function ChoiceGroup({ legend, name, choices, chosen, errorId, ...fieldset }: ChoiceGroupProps) {
  return (
    <fieldset {...fieldset} className={styles.group} aria-describedby={errorId}>
      <legend className="strong">{legend}</legend>
      <div className={styles.cards}>
        {choices.map(({ value, label, line }) => (
          <label key={value} className={styles.card}>
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              aria-describedby={line && `${name}-${value}-line`}
            />
            <span className={`strong ${styles.label}`}>{label}</span>
            {/* `aria-hidden` keeps this line out of the accessible name; `aria-describedby` adds it as description. */}
            {line && (
              <span className={`caption ${styles.line}`} id={`${name}-${value}-line`} aria-hidden="true">
                {line}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
