import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{content,rules,site,server}/**/*.test.{ts,tsx}",
      "tests/{policies,conformance,architecture,start}/**/*.test.ts",
    ],
    globalSetup: ["tests/support/postgres-for-all.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
