import { StemLeaves, StemTip, stemLeaves } from "../drawings/stem-parts";
import styles from "./stem.module.css";

interface StemProps {
  /**
   * The first stem of a page defines the leaves. The last one ends above the frond of the footer. No name of a section
   * branches off from one between two parts of a section, nor from the last.
   */
  place?: "first" | "between" | "last";
  pieces?: number;
}

/**
 * The stem in the left margin of a section. It runs from the top of its parent to the bottom, so the stems of all sections
 * look like one. Pieces with leaves share the height; those for which a section is too short are not shown. It grows when
 * the visitor scrolls, in browsers that can move it without a script.
 */
export function Stem({ place, pieces = 12 }: StemProps) {
  return (
    <div className={`screen-only ${styles.stem} ${place ? styles[place] : ""}`} data-stem aria-hidden="true">
      <svg className={styles.axis} aria-hidden="true">
        {place === "first" && <StemLeaves wide={styles.wide} narrow={styles.narrow} />}
        <rect width="100%" height="100%" />
      </svg>
      <div className={styles.pieces}>
        {Array.from({ length: pieces }, (_, piece) => piece).map((piece) => (
          <svg key={piece} aria-hidden="true">
            <use href={`#${stemLeaves}`} />
          </svg>
        ))}
      </div>
      {place !== "last" && (
        <div className={styles.tip}>
          <StemTip />
        </div>
      )}
    </div>
  );
}
