import { scenes } from "#content/projects";
import styles from "./camera-phone.module.css";
import { Fox } from "./fox";
import { leafPath } from "./leaf-path";

/** A phone whose camera has found a fox. The description of the scene says so, too. */
export function CameraPhone() {
  return (
    <div className={styles.phone}>
      <div className={styles.found}>
        <svg className={styles.viewfinder} viewBox="0 0 100 100" aria-hidden="true">
          <path d="M1 14V7Q1 1 7 1H14M86 1H93Q99 1 99 7V14M99 86V93Q99 99 93 99H86M14 99H7Q1 99 1 93V86" />
        </svg>
        <Fox />
      </div>
      <span className={styles.name} aria-hidden="true">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={leafPath(5, 20, 20, 4, 6)} />
        </svg>
        {scenes.trail.found}
      </span>
    </div>
  );
}
