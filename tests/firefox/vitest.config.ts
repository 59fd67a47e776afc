import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Apart from `npm test`: part of `npm run test:long`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../../", import.meta.url)),
    include: ["tests/firefox/**/*.test.ts"],
    globalSetup: ["tests/support/site-for-all.ts"],
    // Bounds for what hangs, not measures of speed.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
