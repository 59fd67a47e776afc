import { withOwnHashes } from "./content-security-policy.ts";

/** The oldest browsers in which the public pages and their form work (docs/specification.md#browsers). */
export const browserFloor = ["chrome100", "firefox102", "safari15.4"];

/** Mends what Astro and Vite write into a page against the policy, old browsers, or builds with the same bytes. */
export function finishPage(html: string): string {
  return withOwnHashes(withOlderQueries(withAlignedCells(withoutIslandIds(html))));
}

/**
 * No script of Astro reads the ids of islands, which are hashes of the absolute path of a source file: a build in another
 * folder would have other bytes.
 */
function withoutIslandIds(html: string): string {
  return html.replaceAll(/(<astro-island) uid="\w*"/g, "$1");
}

/** Markdown aligns the cells of a table with a style, which the policy would block. */
function withAlignedCells(html: string): string {
  return html.replaceAll(/(<t[dh]) style="text-align: (\w+)"/g, '$1 align="$2"');
}

/** Safari before 16.4 and Chrome before 104 do not know `not` without a media type. */
function withOlderQueries(html: string): string {
  const narrower = /\(?not \(min-width:([\d.]+)(r?em)\)\)?/g;
  return html.replaceAll(narrower, (_, width, unit) => `(max-width:${width - 0.001}${unit})`);
}
