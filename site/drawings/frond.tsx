import { type FrondShape, frond, pinnaOutline, pinnaRib } from "./fern";
import styles from "./strokes.module.css";

/** The id of the pair of leaflets of which the landing page draws more than one plant. */
export const pairOfLeaflets = "leaflets";

/** A still frond in the shape of the hero's. `id` is that of its pairs, unique on the page. It decorates, so it has no text. */
export function Frond({ id, className, ...shape }: FrondShape & { id: string; className?: string | undefined }) {
  const { stem, leaflets, closedLeaflets, box } = frond(shape);
  return (
    <svg className={`${styles.leaf} ${className ?? ""}`} viewBox={box} aria-hidden="true">
      <defs>
        <g id={id}>
          {[1, -1].map((side) => (
            <use key={side} href="#pinna" transform={`scale(1 ${side}) rotate(58)`} />
          ))}
        </g>
      </defs>
      {leaflets.map(({ x, y, heading, reach }) => (
        <use key={`${x} ${y}`} href={`#${id}`} transform={`translate(${x} ${y}) rotate(${heading}) scale(${reach})`} />
      ))}
      <path d={stem} />
      {closedLeaflets.map(({ x, y, radius }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
      ))}
    </svg>
  );
}

/** A leaflet with its rib. The hero's fern defines it as `#pinna` for all drawings of the landing page. */
export function Pinna() {
  return (
    <>
      <path d={pinnaOutline} />
      <path className={styles.rib} d={pinnaRib} />
    </>
  );
}
