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
        <svg viewBox="0 0 40 40" aria-hidden="true">
          {crozier.map(([width, path]) => (
            <path key={path} d={path} strokeWidth={width} />
          ))}
        </svg>
      </div>
    </div>
  );
}

/** The rolled-up tip, as lines with their widths. It comes from above in the middle and winds to the right. */
const crozier: readonly [width: number, path: string][] = [
  [4.8, "M20 0V18A11 11 0 0 0 42 18"],
  [3.6, "M42 18A9 9 0 0 0 24 18"],
  [2.8, "M24 18A6.5 6.5 0 0 0 37 18A4 4 0 0 0 30 17"],
];
