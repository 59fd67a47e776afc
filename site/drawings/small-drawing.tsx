import type { ReactNode } from "react";
import styles from "./service-drawing.module.css";

/** The frame of the small pages' drawings, in the style of the services': one stroke and one patch. Decorative. */
export function SmallDrawing({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 140" aria-hidden="true">
      {children}
    </svg>
  );
}

export const patch = styles.patch;
