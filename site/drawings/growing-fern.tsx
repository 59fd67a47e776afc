import { Pinna } from "./frond";
import styles from "./growing-fern.module.css";
import { bars, chart, crozier, internodes } from "./hero-fern";

const nodes = internodes();
const box = `0 0 ${chart.width} ${chart.height}`;

/**
 * The drawing at the top of the landing page: a fern unrolls over a chart while the bars rise. What moves is an HTML box
 * or a whole `<svg>`, which the browser moves without painting it again. For visitors who prefer reduced motion the
 * drawing is complete at once.
 */
export function GrowingFern({ title, steps }: { title: string; steps: number }) {
  const tops = bars(steps);
  return (
    <div className={styles.chart} role="img" aria-label={title}>
      <svg viewBox={box} aria-hidden="true">
        <defs>
          <g id="pinna">
            <Pinna />
          </g>
        </defs>
        <path className={styles.axes} d={`M-3000 ${chart.ground}H3600M${chart.width - 1} ${chart.ground}V8`} />
      </svg>
      <div className={styles.bars} data-bars>
        {tops.map(([x, y]) => (
          <svg key={x} viewBox={`0 0 ${chart.barWidth} ${Math.round(chart.ground - y - 1)}`} aria-hidden="true">
            <rect width="100%" height="100%" />
          </svg>
        ))}
      </div>
      <span className={styles.plant}>
        <Node index={0} />
      </span>
      <svg className={styles.marks} viewBox={box} aria-hidden="true">
        {tops.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="5" />
        ))}
      </svg>
    </div>
  );
}

/** An internode with the leaflets at its start; the next one is inside it and so moves with it. */
function Node({ index }: { index: number }) {
  const node = nodes[index];
  if (!node) return <Crozier />;
  return (
    <span className={`${styles.node} ${index % 2 ? styles.odd : styles.even}`}>
      {node.above > 0 && (
        <svg className={styles.pinnae} viewBox="0 0 100 100" aria-hidden="true">
          <use href="#pinna" transform={`rotate(-58) scale(${node.above} ${-node.above})`} />
          <use href="#pinna" transform={`rotate(58) scale(${node.below})`} />
        </svg>
      )}
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <path d={node.stem} />
      </svg>
      <Node index={index + 1} />
    </span>
  );
}

/** The rolled-up tip, whose leaflets are still closed. */
function Crozier() {
  const { stem, closedLeaflets } = crozier();
  return (
    <span className={`${styles.node} ${styles.even}`}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <path d={stem} />
        {closedLeaflets.map(({ x, y, radius }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
        ))}
      </svg>
    </span>
  );
}
