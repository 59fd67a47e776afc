import styles from "./pinna.module.css";
import { toothed, vein } from "./stem-leaves";

/** One leaf of the stem. It points to the right. */
export function Pinna({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 -21 104 42" aria-hidden="true">
      <path d={toothed} className={styles.leaf} />
      <path d={vein} className={styles.rib} />
    </svg>
  );
}
