import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These wait for processes that they start, so they begin first and the others run beside them. */
const slowest = [
  /\/tests\/startup\//,
  /\/embedded\.test\./,
  /\/queue\.test\./,
  /\/versions\.test\./,
  /-guessing\.test\./,
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowest.findIndex((pattern) => pattern.test(moduleId));
      return place === -1 ? slowest.length : place;
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
    // Most of the long tests wait for processes they started, so two cores carry three files at a time.
    maxWorkers: 3,
    // Files share a process, and with it the libraries that most of them load.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // The report says in which line a test that failed begins.
    includeTaskLocation: true,
    // Bounds for what hangs, not measures of speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
