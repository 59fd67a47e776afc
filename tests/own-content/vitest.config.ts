import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:long` runs this test; `npm test` does not, because it builds the site once more.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../../", import.meta.url)),
    include: ["tests/own-content/**/*.test.ts"],
    // This limit ends a hanging test; it is not a measure of speed.
    hookTimeout: 300_000,
  },
});
