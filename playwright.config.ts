import { defineConfig } from "@playwright/test";
import { chromiumFlags, findChromium } from "./scripts/browsers.mjs";
import { withRareCases } from "./tests/support/rare-cases.ts";
import { siteUrl } from "./tests/support/site.ts";

// No test may read a developer's `.env`, which may lead to a real database. `npm test` sets this as well.
process.env.ENV_FILE = "";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Tests of rare cases have this tag.
  ...(!withRareCases && { grepInvert: /@rare/ }),
  forbidOnly: Boolean(process.env.CI),
  // These limits only end tests that hang. They say nothing about speed.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  globalSetup: "./tests/e2e/support/start-site.ts",
  use: {
    baseURL: siteUrl,
    // Animations slow the tests down; the tests of animations turn them on. The preference is emulated and also set by a
    // flag: before Chromium applies the emulation to a new document, it may already have started a view transition from
    // it, and then it logs an error, because the next page allows none.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: findChromium(), args: [...chromiumFlags, "--force-prefers-reduced-motion"] },
  },
});
