import type { ReactNode } from "react";
import styles from "./service-drawing.module.css";

/** The drawings of the small pages speak the services' language: one stroke, one patch. Decorative: the words say it. */
export function SmallDrawing({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 140" aria-hidden="true">
      {children}
    </svg>
  );
}

export const patch = styles.patch;
