import { toothedLeafOutline, toothedLeafRib } from "./stem-leaves";
import styles from "./toothed-leaf.module.css";

/** One leaf of the stem. It points to the right. */
export function ToothedLeaf({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 -21 104 42" aria-hidden="true">
      <path d={toothedLeafOutline} className={styles.leaf} />
      <path d={toothedLeafRib} className={styles.rib} />
    </svg>
  );
}
