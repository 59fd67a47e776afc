import type { Typeface } from "./subset.ts";

/** The typeface of headings. `fallback-fonts.css` scales the fallback fonts to the sizes of both typefaces. */
export const fraunces: Typeface = {
  package: "@fontsource/fraunces",
  file: "files/fraunces-latin-600-normal.woff2",
  weight: "600",
};

/** The typeface of all other text. */
export const figtree: Typeface = {
  package: "@fontsource-variable/figtree",
  file: "files/figtree-latin-wght-normal.woff2",
  weight: "400 600",
};
