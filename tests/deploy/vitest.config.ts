import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:long` runs these tests; `npm test` does not, because they need root, Linux and packages of Debian.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../../", import.meta.url)),
    include: ["tests/deploy/**/*.test.ts"],
    globalSetup: ["tests/support/services-for-all.ts"],
    fileParallelism: false,
    // These limits end a hanging test; they are not measures of speed.
    testTimeout: 120_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
