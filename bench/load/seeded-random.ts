export type Random = ReturnType<typeof seededRandom>;

/** A random number generator with a reproducible sequence for each seed (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** A random integer from 0 to `limit - 1`. */
    below: (limit: number) => Math.floor(next() * limit),
    shuffled<T>(list: readonly T[]): T[] {
      const order = list.map((entry) => ({ entry, rank: next() }));
      return order.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
    },
  };
}
