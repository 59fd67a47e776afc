import type { ReactNode } from "react";
import styles from "./service-drawing.module.css";

/**
 * The frame of the drawings on small pages and beside short messages. They have the style of the service drawings (one
 * stroke and one patch) and are hidden from screen readers.
 */
export function SmallDrawing({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 140" aria-hidden="true">
      {children}
    </svg>
  );
}

export const patch = styles.patch;
