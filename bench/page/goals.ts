import type { Measurement } from "./lighthouse.ts";

const goals = {
  firstPaintRatio: 1.15,
  largestPaintRatio: 1.45,
  blockedMsAboveFloor: 10,
  bytes: 80 * 1024,
  scriptBytes: 6 * 1024,
  requests: 8,
};

/**
 * Every goal that some run missed, as a sentence. The floor's own noise is taken out by its median. A page that search
 * engines leave out is an application: there the visitor has reached the form by arriving, so its React loads at once,
 * and neither SEO nor weight is its goal. What it paints, and when, is.
 */
export function missedGoals(page: readonly Measurement[], floor: readonly Measurement[]): string[] {
  const first = median(floor.map(({ firstPaintMs }) => firstPaintMs));
  const largest = median(floor.map(({ largestPaintMs }) => largestPaintMs));
  const blocked = median(floor.map(({ blockedMs }) => blockedMs));

  return page.flatMap((run, index) => {
    const forAll = [
      ...Object.entries(run.scores)
        .filter(([name, score]) => score !== 100 && !(run.isUnlisted && /seo|performance/.test(name)))
        .map(([name, score]) => `${name} is ${score}`),
      run.firstPaintMs > first * goals.firstPaintRatio && `FCP is ${times(run.firstPaintMs / first)} the floor's`,
      run.largestPaintMs > largest * goals.largestPaintRatio &&
        `LCP is ${times(run.largestPaintMs / largest)} the floor's`,
      run.shift.toFixed(3) !== "0.000" && `CLS is ${run.shift.toFixed(3)}`,
      run.stylesheets > 0 && "a stylesheet stands before the first paint",
      !run.isCompressed && "it is not compressed",
    ];
    const beforeInteraction = [
      run.blockedMs > blocked + goals.blockedMsAboveFloor &&
        `TBT is ${Math.round(run.blockedMs - blocked)} ms above the floor's`,
      run.bytes > goals.bytes && `it weighs ${run.bytes} bytes`,
      run.scriptBytes > goals.scriptBytes && `its scripts weigh ${run.scriptBytes} bytes`,
      run.requests > goals.requests && `it makes ${run.requests} requests`,
    ];
    const misses = run.isUnlisted ? forAll : [...forAll, ...beforeInteraction];
    return misses.filter((miss) => typeof miss === "string").map((miss) => `run ${index + 1}: ${miss}`);
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}
