import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Part of `npm run test:long`, not of `npm test`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../../", import.meta.url)),
    include: ["tests/firefox/**/*.test.ts"],
    globalSetup: ["tests/support/site-for-all.ts"],
    // Limits for hanging tests, not measures of speed.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
