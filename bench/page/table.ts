import { quantile } from "../load/quantile.ts";
import type { Measurement } from "./lighthouse.ts";

interface Row {
  name: string;
  value: (run: Measurement) => number | undefined;
  show: (value: number) => string;
  /** Whether the table shows the ratio of page to floor (the same page without scripts, typefaces and animations). */
  isCompared?: boolean;
}

const whole = (value: number) => String(Math.round(value));
const rows: readonly Row[] = [
  { name: "Performance", value: ({ scores }) => scores.performance, show: whole },
  { name: "Accessibility", value: ({ scores }) => scores.accessibility, show: whole },
  { name: "Best Practices", value: ({ scores }) => scores["best-practices"], show: whole },
  { name: "SEO", value: ({ scores }) => scores.seo, show: whole },
  { name: "FCP, ms", value: ({ firstPaintMs }) => firstPaintMs, show: whole, isCompared: true },
  { name: "LCP, ms", value: ({ largestPaintMs }) => largestPaintMs, show: whole, isCompared: true },
  { name: "TBT, ms", value: ({ blockedMs }) => blockedMs, show: whole },
  { name: "CLS", value: ({ shift }) => shift, show: (value) => value.toFixed(3) },
  { name: "bytes", value: ({ bytes }) => bytes, show: whole, isCompared: true },
  { name: "of it JavaScript", value: ({ scriptBytes }) => scriptBytes, show: whole },
  { name: "requests", value: ({ requests }) => requests, show: whole },
];

/** Prints a line for each figure: the medians of page and floor, their ratio, and every run of both. */
export function printTable(title: string, page: readonly Measurement[], floor: readonly Measurement[]) {
  const lines = rows.map(({ name, value, show, isCompared }) => {
    const [ours, theirs] = [page, floor].map((runs) => runs.map(value).filter((each) => each !== undefined));
    const [our, their] = [quantile(ours ?? [], 0.5), quantile(theirs ?? [], 0.5)];
    const ratio = isCompared && their > 0 ? `${(our / their).toFixed(2)} ×` : "";
    const [ourRuns = "", theirRuns = ""] = [ours, theirs].map((values) => (values ?? []).map(show).join("  "));
    return [name, show(our), show(their), ratio, ourRuns, theirRuns];
  });
  const table = [["", "page", "floor", "ratio", "every run of the page", "of the floor"], ...lines];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const line of table) {
    const cells = line.map((cell, column) =>
      column === 0 || column > 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join("  ").trimEnd()}`);
  }
}
