import type { ReactNode } from "react";
import { workWords } from "#content/contact-work";
import styles from "./selection-bar.module.css";

const text = workWords.selection;

interface SelectionBarProps {
  count: number;
  /** Undefined if all are selected. */
  onAll: (() => void) | undefined;
  onClear: () => void;
  children: ReactNode;
}

/** How many contacts are selected, and what can be done with them. */
export function SelectionBar({ count, onAll, onClear, children }: SelectionBarProps) {
  return (
    <section className={styles.bar} aria-label={text.actions}>
      <div className={styles.count}>
        <p>{text.count(count)}</p>
        {onAll && (
          <button type="button" onClick={onAll}>
            {text.all}
          </button>
        )}
        <button type="button" onClick={onClear}>
          {text.clear}
        </button>
      </div>
      {children}
    </section>
  );
}
