import { pinnaOutline } from "./fern";
import { Pinna } from "./frond";
import styles from "./unrolling-frond.module.css";

const internodes = 12;

/**
 * A long frond that begins at the left and rises to the right. Each internode, with its two pairs of leaflets, is a box in
 * the one before, turned and smaller by the same amount. So one rule moves all of them, and the frond unrolls without a
 * repaint: the compositor turns the boxes.
 */
export function UnrollingFrond() {
  return (
    <div className={styles.frond}>
      <Internode index={0} />
    </div>
  );
}

function Internode({ index }: { index: number }) {
  return (
    <div className={`${styles.internode} ${index % 2 ? styles.odd : styles.even}`}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        {index === 0 && <PairDefinition />}
        <path d="M-1 -1.4L101 -1.2V1.2L-1 1.4Z" />
        {[0.25, 0.75].map((x) => (
          <use
            key={x}
            href="#frond-pair"
            transform={`translate(${100 * x} 0) scale(${reach((index + x) / internodes)})`}
          />
        ))}
        {index === internodes - 1 && <path d={pinnaOutline} transform="translate(98 0) scale(.3)" />}
      </svg>
      {index < internodes - 1 && <Internode index={index + 1} />}
    </div>
  );
}

function PairDefinition() {
  return (
    <defs>
      <g id="frond-pair">
        {["rotate(-54)scale(1-1.3)", "rotate(54)scale(1 1.3)"].map((transform) => (
          <g key={transform} transform={transform}>
            <Pinna />
          </g>
        ))}
      </g>
    </defs>
  );
}

/** Returns the length of the leaflets as a share of the internode's: short at both ends of the frond. */
function reach(share: number): number {
  return Number((0.08 + Math.sin(Math.PI * (0.1 + 0.85 * share ** 0.7)) ** 0.9 * (0.86 + 0.3 * share)).toFixed(2));
}
