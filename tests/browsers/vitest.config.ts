import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:long` runs these tests; `npm test` does not, because they need an installed Firefox or WebKit.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../../", import.meta.url)),
    include: ["tests/browsers/**/*.test.ts"],
    globalSetup: ["tests/support/site-for-all.ts"],
    // These limits end a hanging test; they are not measures of speed.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
