import type { Sample } from "./samples.ts";

const megabyte = 2 ** 20;

/**
 * What grew between the middle and the last third of the samples, a sentence each. The first third warms up: pools
 * open, code is compiled. After it everything that a steady load needs is there, so what still grows goes on growing.
 * The allowances are what ten minutes of a sound server vary by: a garbage collection more or less, one connection that
 * is being replaced.
 */
export function growthIn(samples: readonly Sample[], heaps: { middle: number; end: number }): string[] {
  const third = Math.floor(samples.length / 3);
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(2 * third);
  const resident = (some: readonly Sample[]) => median(some.map(({ residentBytes }) => residentBytes));
  const most = (some: readonly Sample[], what: "files" | "connections") =>
    Math.max(0, ...some.map((sample) => sample[what] ?? 0));

  const pairs = [
    { what: "memory (RSS), bytes", from: resident(middle), to: resident(last), share: 0.1, least: 16 * megabyte },
    {
      what: "heap after garbage collection, bytes",
      from: heaps.middle,
      to: heaps.end,
      share: 0.1,
      least: 4 * megabyte,
    },
    { what: "open files", from: most(middle, "files"), to: most(last, "files"), share: 0, least: 10 },
    { what: "connections", from: most(middle, "connections"), to: most(last, "connections"), share: 0, least: 3 },
  ];
  return pairs
    .filter(({ from, to, share, least }) => to > from + Math.max(from * share, least))
    .map(({ what, from, to }) => `${what}: from ${from} in the middle to ${to} at the end`);
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
