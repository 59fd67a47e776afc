import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{content,rules,site,server}/**/*.test.{ts,tsx}",
      "tests/{policies,conformance,architecture,start}/**/*.test.ts",
    ],
    globalSetup: ["tests/support/postgres-for-all.ts", "tests/support/site-for-all.ts"],
    // Most of the long tests wait for processes they started, so two cores carry three files at a time.
    maxWorkers: 3,
    // A bound for what hangs, not a measure of speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
