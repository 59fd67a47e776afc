import { buds, ground, pinnae, pinnaOutline, pinnaRib, readings, stemLine, stemOutline } from "./fern";
import styles from "./growing-fern.module.css";

const marks = readings(7);
/** The x coordinate of the vertical axis. It is on the right, where the curve ends; the left is free for text. */
const axis = 559;

/**
 * The drawing at the top of the landing page: a fern grows over a chart while the bars rise. For visitors who prefer
 * reduced motion the drawing is complete at once.
 */
export function GrowingFern({ title }: { title: string }) {
  return (
    <svg className={styles.fern} viewBox={`0 52 560 ${ground - 51}`} role="img" aria-label={title}>
      <defs>
        <g id="pinna">
          <path d={pinnaOutline} />
          <path className={styles.rib} d={pinnaRib} />
        </g>
        <mask id="fern-uncovered" maskUnits="userSpaceOnUse" x="0" y="0" width="560" height="480">
          <path className={styles.line} d={stemLine} pathLength="1" />
        </mask>
      </defs>
      <g className={styles.bars}>
        {marks.map(([x, y]) => (
          <rect key={x} x={x - 11} y={y} width="22" height={ground - y} />
        ))}
      </g>
      {/* A dotted line leads from the top of each bar to the axis. */}
      <path className={styles.leaders} d={marks.map(([x, y]) => `M${x + 14} ${y}H${axis - 12}`).join("")} />
      <path
        className={styles.axes}
        d={`M-3000 ${ground}H3600M${axis} ${ground}V64${marks.map(([, y]) => `M${axis} ${y}h-8`).join("")}`}
      />
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
      <g className={styles.buds}>
        {buds().map(({ x, y, radius }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
        ))}
      </g>
      <path className={styles.stem} d={stemOutline} mask="url(#fern-uncovered)" />
      <g className={styles.marks}>
        {marks.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="5" />
        ))}
      </g>
    </svg>
  );
}
