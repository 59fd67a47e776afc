import { type FrondShape, frond, pinnaOutline, pinnaRib } from "./fern";
import styles from "./frond.module.css";

/** The frond beside the reasons of the landing page. A chart of its case studies shows it, too. */
export const landingFrond = { id: "frond", pairs: 15, heading: -80, bend: -4 };

/** A still frond in the shape of the hero's. `id` must be unique on its page. It decorates, so it has no text. */
export function Frond({ id, className, ...shape }: FrondShape & { id: string; className?: string | undefined }) {
  const { stem, leaflets, closedLeaflets, box } = frond(shape);
  return (
    <svg className={[styles.frond, className].filter(Boolean).join(" ")} viewBox={box} aria-hidden="true">
      <defs>
        <g id={`${id}-pair`}>
          {[1, -1].map((side) => (
            <g key={side} transform={`scale(1 ${side}) rotate(58)`}>
              <Pinna />
            </g>
          ))}
        </g>
      </defs>
      <g id={id}>
        {leaflets.map(({ x, y, heading, reach }) => (
          <use
            key={`${x} ${y}`}
            href={`#${id}-pair`}
            transform={`translate(${x} ${y}) rotate(${heading}) scale(${reach})`}
          />
        ))}
        <path d={stem} />
        {closedLeaflets.map(({ x, y, radius }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
        ))}
      </g>
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
