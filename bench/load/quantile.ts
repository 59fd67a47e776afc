/**
 * Interpolates linearly between the two nearest numbers (quantile type 7 of the language R). Without `share` it is the
 * median. Returns 0 if there are no numbers.
 */
export function quantile(numbers: readonly number[], share = 0.5): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const low = sorted[Math.floor(position)] ?? 0;
  const high = sorted[Math.ceil(position)] ?? 0;
  return low + (high - low) * (position - Math.floor(position));
}
