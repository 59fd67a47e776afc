import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:long` runs this test; `npm test` does not, because it builds the site once more.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../../", import.meta.url)),
    include: ["tests/own-content/**/*.test.ts"],
    // These limits end a hanging test; they are no measure of speed.
    hookTimeout: 300_000,
    testTimeout: 300_000,
  },
});
