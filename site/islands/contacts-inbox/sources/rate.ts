import { sourceWords } from "#content/inbox-sources";

/** Of 20 such ranges, 19 contain the true rate. */
const z = 1.96;
/** A range that is not wider than this is shown as one number. */
const preciseWidth = 4;

/**
 * How many of a hundred visits lead to a contact, in words. With few visits the rate says little, so it is a range: the
 * Wilson score interval, which is right for small numbers too.
 */
export function formatRate(contacts: number, visits: number): string {
  // Not every visit is counted, so contacts can be more.
  if (visits === 0 || contacts > visits) return sourceWords.noRate;
  const share = contacts / visits;
  const centre = share + z ** 2 / (2 * visits);
  const spread = z * Math.sqrt((share * (1 - share)) / visits + (z / (2 * visits)) ** 2);
  const scale = 100 / (1 + z ** 2 / visits);
  if (2 * spread * scale > preciseWidth) {
    // At the ends, the fractions of computers can lie a hair beyond 0 and 100.
    const [low, high] = [scale * (centre - spread), scale * (centre + spread)];
    return sourceWords.between(Math.max(0, Math.floor(low)), Math.min(100, Math.ceil(high)));
  }
  return sourceWords.about(Number((100 * share).toPrecision(2)));
}
