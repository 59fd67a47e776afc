import { ground, pinnae, pinnaOutline, pinnaRib, readings, stemLine, stemOutline } from "./fern";
import styles from "./growing-fern.module.css";

interface GrowingFernProps {
  className?: string;
  title: string;
}

const marks = readings(7);
const gridLines = [112, 198, 284, 370];

/** The hero: a fern grows along the axes of a chart while the bars below it rise. Still under reduced motion. */
export function GrowingFern({ className, title }: GrowingFernProps) {
  return (
    <svg className={`${styles.fern} ${className ?? ""}`} viewBox="0 0 560 480" role="img" aria-label={title}>
      <defs>
        <g id="pinna">
          <path d={pinnaOutline} />
          <path className={styles.rib} d={pinnaRib} />
        </g>
        <mask id="fern-uncovered" maskUnits="userSpaceOnUse" x="0" y="0" width="560" height="480">
          <path className={styles.line} d={stemLine} pathLength="1" />
        </mask>
      </defs>
      <g className={styles.grid}>
        {gridLines.map((y) => (
          <path key={y} d={`M52 ${y}H540`} />
        ))}
      </g>
      <g className={styles.bars}>
        {marks.map(([x, y]) => (
          <rect key={x} x={x - 11} y={y} width="22" height={ground - y} />
        ))}
      </g>
      <path className={styles.axes} d={`M52 20V${ground}H544${gridLines.map((y) => `M52 ${y}h-8`).join("")}`} />
      <g className={styles.pinnae}>
        {pinnae(15).map(({ x, y, heading, above, below }) => (
          <g key={x} transform={`translate(${x} ${y}) rotate(${heading})`}>
            <g transform={`rotate(-58) scale(${above} ${-above})`}>
              <use href="#pinna" />
            </g>
            <g transform={`rotate(58) scale(${below})`}>
              <use href="#pinna" />
            </g>
          </g>
        ))}
      </g>
      <path className={styles.stem} d={stemOutline} mask="url(#fern-uncovered)" />
      <g className={styles.marks}>
        {marks.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="5.5" />
        ))}
      </g>
    </svg>
  );
}
