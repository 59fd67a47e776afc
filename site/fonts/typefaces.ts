import type { Typeface } from "./subset.ts";

/** For headings. `fallback-fonts.css` scales the fallbacks to both typefaces. */
export const fraunces: Typeface = {
  package: "@fontsource/fraunces",
  file: "files/fraunces-latin-600-normal.woff2",
  weight: "600",
};

/** For text. */
export const figtree: Typeface = {
  package: "@fontsource-variable/figtree",
  file: "files/figtree-latin-wght-normal.woff2",
  weight: "400 600",
};
