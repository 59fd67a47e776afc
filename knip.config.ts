import type { KnipConfig } from "knip";

/** With `--production`, what only tests use counts as unused. An export may be for tests if its own file uses it too. */
const isProduction = process.argv.includes("--production");

/** Which files, exports and packages count as used. `npm test` refuses all others. `!` marks the product. */
export default {
  // knip finds the tests and the pages of the site by itself. These programs are started by their path.
  entry: [
    "operations/commands/*.{mjs,ts}!",
    "site/scripts/hydrate-after-paint.ts!",
    // With `--production`, knip does not read astro.config.ts.
    ...(isProduction ? ["site/built-pages/*.ts!"] : []),
    "{bench,scripts,tools}/*.{mjs,ts}",
    "tests/{browsers,deploy,own-content,own-postgres}/{vitest.config,*.test}.ts",
  ],
  project: [
    "{content,validation,site,process,backend,server,operations}/**/*.{astro,css,mjs,ts,tsx}!",
    "!**/*.test.{ts,tsx}!",
    "{*,{bench,scripts,tests,tools}/**/*}.{mjs,ts,tsx}",
  ],
  ignoreExportsUsedInFile: isProduction,
  // `scripts/test.mjs` starts this package by its path.
  ignoreDependencies: ["@biomejs/biome"],
  // Linux programs that the cluster, the tests of `deploy/` and the tests in WebKit use.
  ignoreBinaries: "apt-cache debootstrap haproxy mount openssl umount unshare WebKitWebDriver Xvfb".split(" "),
  // Without an entry here, knip would overlook style sheets. None of them imports another.
  compilers: { css: () => "" },
  treatConfigHintsAsErrors: true,
} satisfies KnipConfig;
