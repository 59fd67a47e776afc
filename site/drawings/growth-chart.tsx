import type { Point } from "./fern";
import { pairOfLeaflets } from "./frond";
import styles from "./growth-chart.module.css";

interface GrowthChartProps {
  readings: readonly { time: string; value: number }[];
  unit?: string | undefined;
  /** On the landing page the stem has leaflets, which the first chart defines. */
  leaflets?: "define" | "use";
  /** Of the drawing without what grows above it, where its width is 400. */
  height?: number;
}

export const leafletsOfCharts = "chart-leaflets";
const width = 400;

/**
 * A bar for each reading, from zero, and a stem that grows through the tops of all. The first and the last reading are
 * written below their bars. There are at least two.
 */
export function GrowthChart({ readings, unit = "", leaflets, height = 200 }: GrowthChartProps) {
  const highest = Math.max(...readings.map(({ value }) => value)) || 1;
  const barWidth = 2 * Math.min(14, Math.round(width / readings.length / 4));
  const step = (width - barWidth) / (readings.length - 1);
  const tops = readings.map(
    ({ value }, index): Point => [Math.round(barWidth / 2 + index * step), Math.round(height * (1 - value / highest))],
  );
  const [first, last] = [readings[0], readings.at(-1)];
  return (
    <>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={readings.map(({ time, value }) => `${time}: ${value}${unit}`).join(", ")}
      >
        {tops.map(([x, y]) => (
          <rect key={x} x={x - barWidth / 2} y={y} width={barWidth} height={height - y} />
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
      <p className={`caption ${styles.readings}`} aria-hidden="true">
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
