import { Crozier } from "../drawings/crozier";
import { StemLeaves, stemLeaves } from "../drawings/stem-leaves";
import styles from "./stem.module.css";

/**
 * The stem in the left margin of a section. It runs from the top of its parent to the bottom, so the stems of all sections
 * look like one. Pieces with leaves are stretched to fill the height; those for which a section is too short are not
 * shown. It grows when the visitor scrolls, in browsers that can move it without a script.
 */
export function Stem({ first = false, pieces = 36 }: { first?: boolean; pieces?: number }) {
  return (
    <div className={styles.stem} aria-hidden="true">
      {first && (
        <svg className={styles.definitions} aria-hidden="true">
          <StemLeaves wide={styles.wide} narrow={styles.narrow} />
        </svg>
      )}
      <svg className={styles.axis} aria-hidden="true">
        <rect width="100%" height="100%" />
      </svg>
      <div className={styles.pieces}>
        {Array.from({ length: pieces }, (_, piece) => piece).map((piece) => (
          <svg key={piece} aria-hidden="true">
            <use href={`#${stemLeaves}`} />
          </svg>
        ))}
      </div>
      <div className={styles.tip}>
        <Crozier />
      </div>
    </div>
  );
}
