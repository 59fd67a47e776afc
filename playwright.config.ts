import { defineConfig } from "@playwright/test";
import { chromiumFlags, findChromium } from "./scripts/browsers.mjs";
import { siteUrl } from "./tests/support/site.ts";

// No test may read a developer's `.env`, which may lead to a real database. `npm test` sets this as well.
process.env.ENV_FILE = "";

export default defineConfig({
  testDir: "tests",
  testMatch: ["e2e/**/*.spec.ts", "specification/**/*.spec.ts"],
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // These limits only end tests that hang. They say nothing about speed.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  globalSetup: "./tests/e2e/support/start-site.ts",
  use: {
    baseURL: siteUrl,
    launchOptions: { executablePath: findChromium(), args: chromiumFlags },
    // Animations slow the tests down; the test of transitions turns them on.
    contextOptions: { reducedMotion: "reduce" },
  },
});
