import { fiddlehead, pinnae, pinnaOutline, readings, stem } from "./fern";
import styles from "./growing-fern.module.css";

interface GrowingFernProps {
  className?: string;
  title: string;
}

const bars = [34, 46, 66, 92, 132, 184, 252];

/** The hero: a fern grows along the axes of a chart while the bars below it rise. Still under reduced motion. */
export function GrowingFern({ className, title }: GrowingFernProps) {
  return (
    <svg className={`${styles.fern} ${className ?? ""}`} viewBox="0 0 560 520" role="img" aria-label={title}>
      <defs>
        <path id="pinna" d={pinnaOutline} />
      </defs>
      <g className={styles.grid}>
        {[110, 195, 280, 365].map((y) => (
          <path key={y} d={`M60 ${y}H540`} />
        ))}
      </g>
      <g className={styles.bars}>
        {bars.map((height, index) => (
          <rect key={height} x={96 + index * 62} y={456 - height} width="30" height={height} />
        ))}
      </g>
      <path
        className={styles.axes}
        d="M60 24V456H540M60 110h-9M60 195h-9M60 280h-9M60 365h-9M111 456v9M173 456v9M235 456v9M297 456v9M359 456v9M421 456v9M483 456v9"
      />
      <g className={styles.pinnae}>
        {pinnae(17).map(({ x, y, heading, scale }) => (
          <g key={x} transform={`translate(${x} ${y}) rotate(${heading}) scale(${scale})`}>
            <g transform="rotate(-62)">
              <use href="#pinna" />
            </g>
            <g transform="rotate(62)">
              <use href="#pinna" />
            </g>
          </g>
        ))}
      </g>
      <path className={styles.stem} d={stem} pathLength="1" />
      <path className={styles.fiddlehead} d={fiddlehead} pathLength="1" />
      <g className={styles.readings}>
        {readings(5).map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="6" />
        ))}
      </g>
    </svg>
  );
}
