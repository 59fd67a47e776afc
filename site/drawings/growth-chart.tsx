import type { Point } from "./fern";
import { pairOfLeaflets } from "./frond";
import styles from "./growth-chart.module.css";

interface GrowthChartProps {
  readings: readonly { time: string; value: number }[];
  unit?: string | undefined;
  /** On the landing page the stem has leaflets, which the first chart defines. */
  leaflets?: "define" | "use";
}

export const leafletsOfCharts = "chart-leaflets";
const box = { width: 400, height: 200 };

/**
 * A bar for each reading, from zero, and a stem that grows through the tops of all. The first and the last reading are
 * written below.
 */
export function GrowthChart({ readings, unit = "", leaflets }: GrowthChartProps) {
  const highest = Math.max(...readings.map(({ value }) => value)) || 1;
  const slot = box.width / readings.length;
  const barWidth = Math.min(28, Math.round(slot / 2));
  const tops = readings.map(
    ({ value }, index): Point => [Math.round(slot * (index + 0.5)), Math.round(box.height * (1 - value / highest))],
  );
  const [first, last] = [readings[0], readings.at(-1)];
  return (
    <>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${box.width} ${box.height}`}
        role="img"
        aria-label={readings.map(({ time, value }) => `${time}: ${value}${unit}`).join(", ")}
      >
        {tops.map(([x, y]) => (
          <rect key={x} x={x - barWidth / 2} y={y} width={barWidth} height={box.height - y} />
        ))}
        {leaflets === "define" && (
          <marker id={leafletsOfCharts} orient="auto" markerUnits="userSpaceOnUse" overflow="visible">
            <use href={`#${pairOfLeaflets}`} transform="scale(.42)" />
          </marker>
        )}
        <path markerMid={leaflets && `url(#${leafletsOfCharts})`} d={`M${stemThrough(tops)}`} />
        <path d={`M${tops.at(-1)?.join(" ")}q12-9 12-22a12 12 0 1 0-12 12a6 6 0 0 0 6-6`} />
        {tops.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="6" />
        ))}
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

/** Returns a path through the tops. Leaflets grow at each of its points but the first and the last, three from top to top. */
function stemThrough(tops: readonly Point[]): string {
  const points = tops.flatMap(([x, y], index) => {
    const [toX, toY] = tops[index + 1] ?? [x, y];
    return [0, 1, 2].map((third) =>
      [x + (third / 3) * (toX - x), y + (third / 3) * (toY - y)].map(Math.round).join(" "),
    );
  });
  return [...new Set(points)].join("L");
}
