import { pinnaOutline, pinnaRib } from "./fern";
import styles from "./unrolling-frond.module.css";

const internodes = 22;

/**
 * A long frond that begins at the left and rises to the right. Each internode, with its three pairs of leaflets, is a box in
 * the one before, turned and smaller by the same amount. So one rule moves all of them, and the frond unrolls without a
 * repaint: the compositor turns the boxes.
 */
export function UnrollingFrond() {
  return (
    <div className={styles.frond}>
      <svg className={styles.definitions} aria-hidden="true">
        <g id="frond-pinna">
          <path d={pinnaOutline} />
          <path className={styles.rib} d={pinnaRib} />
        </g>
        <g id="frond-internode">
          <path d="M-1 -2.6L101 -2.43V2.43L-1 2.6Z" />
          {[
            [18, 1.43],
            [52, 1.4],
            [85, 1.37],
          ].map(([x, size = 1]) => (
            <g key={x} transform={`translate(${x} 0) scale(${size})`}>
              <use href="#frond-pinna" transform="rotate(-56) scale(1 -1)" />
              <use href="#frond-pinna" transform="rotate(56)" />
            </g>
          ))}
        </g>
      </svg>
      <Internode left={internodes - 1} />
    </div>
  );
}

function Internode({ left }: { left: number }) {
  return (
    <div className={`${styles.internode} ${left % 2 ? styles.odd : styles.even}`}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <use href="#frond-internode" />
        {left === 0 && <use href="#frond-pinna" transform="translate(98 0) scale(1.2)" />}
      </svg>
      {left > 0 && <Internode left={left - 1} />}
    </div>
  );
}
