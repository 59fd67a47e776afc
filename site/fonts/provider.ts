import type { FontProvider } from "astro";
import type { FontSubset } from "./subset.ts";

/** Hands Astro the files that we have cut ourselves. Its own local provider could not say which of them to preload. */
export function subsetFonts(): FontProvider<{ cuts: FontSubset[] }> {
  return {
    name: "cut",
    resolveFont: ({ options }) => ({
      fonts: (options?.cuts ?? []).map(({ characters, file, weight, unicodeRange }) => ({
        src: [{ url: file, format: "woff2" }],
        style: "normal",
        weight,
        unicodeRange,
        // Drawn with whatever is there when the page is first painted, and never exchanged: nothing can move.
        display: "optional",
        meta: { subset: characters },
      })),
    }),
  };
}
