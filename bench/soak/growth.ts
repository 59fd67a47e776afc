import { quantile } from "../load/quantile.ts";
import type { Sample } from "./samples.ts";

const megabyte = 2 ** 20;

/**
 * Returns a sentence for each figure that grew between the middle and the last third of the samples. The first third is
 * warm-up: connection pools fill and code is compiled. Growth after the warm-up is a leak. `share` and `least` say how
 * far a figure may rise in a normal run of ten minutes, for example because garbage was collected once less or a
 * connection is being replaced.
 */
export function findGrowth(samples: readonly Sample[], heaps: { middle: number; end: number }): string[] {
  const third = Math.floor(samples.length / 3);
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(2 * third);
  const resident = (some: readonly Sample[]) =>
    quantile(
      some.map(({ residentBytes }) => residentBytes),
      0.5,
    );
  const most = (some: readonly Sample[], figure: "files" | "connections") =>
    Math.max(0, ...some.map((sample) => sample[figure] ?? 0));

  const figures = [
    { name: "memory (RSS), bytes", from: resident(middle), to: resident(last), share: 0.1, least: 16 * megabyte },
    {
      name: "heap after garbage collection, bytes",
      from: heaps.middle,
      to: heaps.end,
      share: 0.1,
      least: 4 * megabyte,
    },
    { name: "open files", from: most(middle, "files"), to: most(last, "files"), share: 0, least: 10 },
    { name: "connections", from: most(middle, "connections"), to: most(last, "connections"), share: 0, least: 3 },
  ];
  return figures
    .filter(({ from, to, share, least }) => to > from + Math.max(from * share, least))
    .map(({ name, from, to }) => `${name}: from ${from} in the middle to ${to} at the end`);
}
