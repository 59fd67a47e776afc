import { quantile } from "../load/quantile.ts";
import type { Measurement } from "./lighthouse.ts";

const goals = {
  firstPaintRatio: 1.05,
  largestPaintRatio: 1.1,
  blockedMsAboveFloor: 20,
  bytes: 48 * 1024,
  scriptBytes: 6 * 1024,
  requests: 4,
};

/**
 * Returns a sentence for each goal that a run missed. Times are compared with the median of the floor (the same page
 * without scripts, typefaces and animations, `floor.ts`), the Performance score with the floor's worst. A page that search
 * engines must not list is an application: its form is in view at once and needs React at once. So such a page has no
 * goals for SEO, weight and blocked time. It still has the goals for its paint times.
 */
export function missedGoals(page: readonly Measurement[], floor: readonly Measurement[]): string[] {
  const first = quantile(
    floor.map(({ firstPaintMs }) => firstPaintMs),
    0.5,
  );
  const largest = quantile(
    floor.map(({ largestPaintMs }) => largestPaintMs),
    0.5,
  );
  const blocked = quantile(
    floor.map(({ blockedMs }) => blockedMs),
    0.5,
  );

  const worst = Math.min(...floor.map(({ scores }) => scores.performance ?? 0));

  return page.flatMap((run, index) => {
    const { performance = 0, seo, ...others } = run.scores;
    const ofAllPages = [
      ...Object.entries(others)
        .filter(([, score]) => score !== 100)
        .map(([name, score]) => `${name} is ${score}`),
      run.firstPaintMs > first * goals.firstPaintRatio && `FCP is ${times(run.firstPaintMs / first)} the floor's`,
      run.largestPaintMs > largest * goals.largestPaintRatio &&
        `LCP is ${times(run.largestPaintMs / largest)} the floor's`,
      run.shift.toFixed(3) !== "0.000" && `CLS is ${run.shift.toFixed(3)}`,
      run.stylesheets > 0 && "a stylesheet blocks the first paint",
      !run.isCompressed && "it is not compressed",
    ];
    const ofListedPages = [
      performance < worst && `performance is ${performance}, the floor's worst ${worst}`,
      seo !== 100 && `seo is ${seo}`,
      run.blockedMs > blocked + goals.blockedMsAboveFloor &&
        `TBT is ${Math.round(run.blockedMs - blocked)} ms above the floor's`,
      run.bytes > goals.bytes && `it weighs ${run.bytes} bytes`,
      run.scriptBytes > goals.scriptBytes && `its scripts weigh ${run.scriptBytes} bytes`,
      run.requests > goals.requests && `it makes ${run.requests} requests`,
    ];
    const misses = run.isUnlisted ? ofAllPages : [...ofAllPages, ...ofListedPages];
    return misses.filter((miss) => typeof miss === "string").map((miss) => `run ${index + 1}: ${miss}`);
  });
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}
