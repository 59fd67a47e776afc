import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * These test files are slow, because they wait for child processes. They start first, and the others run beside them.
 */
const slowest = [
  /\/tests\/startup\//,
  /\/embedded-postgres\.test\./,
  /\/queue\.test\./,
  /\/versions\.test\./,
  /-guessing\.test\./,
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex((pattern) => pattern.test(moduleId));
      return index === -1 ? slowest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: [
      "{content,validation,site,server}/**/*.test.{ts,tsx}",
      "tests/{architecture,built-pages,cli,conformance,documentation,policies,specification,startup}/**/*.test.ts",
    ],
    globalSetup: ["tests/support/postgres-for-all.ts", "tests/support/site-for-all.ts"],
    // The long tests mostly wait for child processes, so two cores suffice for three files at a time.
    maxWorkers: 3,
    // Test files share a process, so that libraries are loaded only once.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // The report of a failed test names its line number.
    includeTaskLocation: true,
    // These limits only end tests that hang. They say nothing about speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
