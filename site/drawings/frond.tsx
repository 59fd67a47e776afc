import { type FrondShape, frond, pinnaOutline, pinnaRib } from "./fern";
import styles from "./frond.module.css";

/** A still frond in the shape of the hero's. `id` must be unique on its page. It decorates, so it has no text. */
export function Frond({ id, className, ...shape }: FrondShape & { id: string; className?: string | undefined }) {
  const { stem, leaflets, closedLeaflets, box } = frond(shape);
  return (
    <svg className={[styles.frond, className].filter(Boolean).join(" ")} viewBox={box} aria-hidden="true">
      <defs>
        <g id={id}>
          <Pinna />
        </g>
      </defs>
      {leaflets.map(({ x, y, heading, reach }) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y}) rotate(${heading})`}>
          <use href={`#${id}`} transform={`rotate(-58) scale(${reach} ${-reach})`} />
          <use href={`#${id}`} transform={`rotate(58) scale(${reach})`} />
        </g>
      ))}
      <path d={stem} />
      {closedLeaflets.map(({ x, y, radius }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
      ))}
    </svg>
  );
}

/** A leaflet with its rib. */
export function Pinna() {
  return (
    <>
      <path d={pinnaOutline} />
      <path className={styles.rib} d={pinnaRib} />
    </>
  );
}
