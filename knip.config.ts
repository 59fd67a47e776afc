import type { KnipConfig } from "knip";

/** Which files, exports and packages count as used. `npm test` refuses all others. */
export default {
  // knip finds the tests and the pages of the site by itself. These programs are started by their path.
  entry: [
    "{bench,scripts,tools}/*.{mjs,ts}",
    "server/cli/*.ts",
    "tests/{browsers,deploy,own-content,own-postgres}/{vitest.config,*.test}.ts",
  ],
  project: ["**/*.{astro,css,mjs,ts,tsx}"],
  // `scripts/test.mjs` starts this package by its path.
  ignoreDependencies: ["@biomejs/biome"],
  // Programs of Linux that the tests of `deploy/` and in WebKit use.
  ignoreBinaries: ["openssl", "unshare", "WebKitWebDriver", "Xvfb"],
  // Without an entry here, knip would overlook style sheets. None of them imports another.
  compilers: { css: () => "" },
  treatConfigHintsAsErrors: true,
} satisfies KnipConfig;
