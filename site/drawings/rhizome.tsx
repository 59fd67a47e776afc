import styles from "./rhizome.module.css";

/**
 * The stem below the ground, from the foot of the hero's fern to the left margin, where it turns down. It is placed on
 * the ground line, in the figure of the hero, which cuts off its lower end.
 */
export function Rhizome() {
  return (
    <div className={`screen-only ${styles.place}`} aria-hidden="true">
      <div className={styles.rhizome}>
        <div className={styles.margin} />
        <div className={styles.runner}>
          <svg viewBox="0 0 600 40" preserveAspectRatio="none" aria-hidden="true">
            <path d="M0 19C60 17 110 25 180 23C260 20 310 15 390 18C450 20 500 24 540 19C568 16 584 7 596-4L612-4C602 12 582 24 545 27C500 30 450 26 390 25C310 23 260 28 180 30C110 32 60 24 0 24Z" />
          </svg>
          <svg className={styles.roots} aria-hidden="true">
            <defs>
              <path id="root-1" d="M-3 0C-3 9 2 14-2 26C4 17 0 9 3 0Z" />
              <path id="root-2" d="M-3 0C0 7-4 11 1 17C0 11 4 7 3 0Z" />
            </defs>
            {["9%", "15%", "31%", "47%", "53%", "66%", "83%", "88%"].map((x, index) => (
              <use key={x} href={`#root-${1 + (index % 2)}`} x={x} y="24" />
            ))}
          </svg>
        </div>
      </div>
    </div>
  );
}
