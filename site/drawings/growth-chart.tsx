import { frond, round } from "./fern";
import { landingFrond } from "./frond";
import styles from "./growth-chart.module.css";

interface GrowthChartProps {
  readings: readonly { time: string; value: number }[];
  unit?: string | undefined;
  /** Whether the landing page's frond grows up to the last bar, if that is the highest. */
  hasFrond?: boolean;
}

const box = { width: 400, height: 200 };

/** A bar for each reading, from zero. The first and the last reading are written below the ground line. */
export function GrowthChart({ readings, unit = "", hasFrond = false }: GrowthChartProps) {
  const highest = Math.max(...readings.map(({ value }) => value)) || 1;
  const slot = box.width / readings.length;
  const bars = readings.map(({ value }, index): [x: number, height: number] => [
    round(slot * (index + 0.5)),
    round((value / highest) * box.height),
  ]);
  const [first, last] = [readings[0], readings.at(-1)];
  return (
    <>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${box.width} ${box.height}`}
        role="img"
        aria-label={readings.map(({ time, value }) => `${time}: ${value}${unit}`).join(", ")}
      >
        {bars.map(([x, height]) => (
          <rect key={x} x={x - 14} y={box.height - height} width="28" height={height} />
        ))}
        {hasFrond && last?.value === highest ? (
          <use href={`#${landingFrond.id}`} transform={upTo(box.width - slot / 2)} />
        ) : (
          <>
            <path
              className={styles.stem}
              d={`M${bars.map(([x, height]) => `${x} ${box.height - height}`).join("L")}`}
            />
            {bars.map(([x, height]) => (
              <circle key={x} className={styles.node} cx={x} cy={box.height - height} r="6" />
            ))}
          </>
        )}
      </svg>
      <p className={styles.readings} aria-hidden="true">
        {[first, last].map((reading) => (
          <span key={reading?.time}>
            <b>
              {reading?.value}
              {unit}
            </b>{" "}
            {reading?.time}
          </span>
        ))}
      </p>
    </>
  );
}

/** Moves, turns and enlarges the frond, so that it leads from the lower left corner to the top of the box at `x`. */
function upTo(x: number): string {
  const end = frond(landingFrond).leaflets.at(-1) ?? { x: 1, y: 0 };
  const turn = Math.atan2(-box.height, x) - Math.atan2(end.y, end.x);
  const scale = Math.hypot(x, box.height) / Math.hypot(end.x, end.y);
  return `translate(0 ${box.height}) rotate(${round((turn * 180) / Math.PI)}) scale(${round(scale, 3)})`;
}
