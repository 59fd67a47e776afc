import type { ReactNode } from "react";
import { workWords } from "#content/contact-work";
import { Button } from "../../components/button";
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
          <Button variant="plain" onClick={onAll}>
            {text.all}
          </Button>
        )}
        <Button variant="plain" onClick={onClear}>
          {text.clear}
        </Button>
      </div>
      {children}
    </section>
  );
}
