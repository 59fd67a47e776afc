import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * These test files are slow, because they wait for child processes, locks and repetitions. They start first, the longest
 * before the others, so that none of them is alone at the end.
 */
const slowest = [
  /\/startup\/commands\.test\./,
  /\/startup\/start\.test\./,
  /\/embedded-postgres\.test\./,
  /\/queue\.test\./,
  /\/contact-announcements\.test\./,
  /\/tests\/startup\//,
  /\/migrations\.test\./,
  /\/(versions|database-setup)\.test\./,
  /\/(admin-command|backup-command|restore-command|doctor-command|personal-data)\.test\./,
  /\/timeouts\.test\./,
  /\/(data-outage|reconnect)\.test\./,
  /\/auth-(guessing|second-factor-guessing|mail-limits|refresh|codes|wire)\.test\./,
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

// No test may read a developer's `.env`, which may lead to a real database. `npm test` sets this as well.
process.env.ENV_FILE = "";

export default defineConfig({
  // The source maps of some packages name files that they do not bring: a warning for each.
  logLevel: "error",
  test: {
    include: [
      "{content,validation,site,process,backend,server,operations}/**/*.test.{ts,tsx}",
      "tests/{architecture,built-pages,cli,conformance,documentation,policies,specification,startup}/**/*.test.ts",
    ],
    globalSetup: ["tests/support/services-for-all.ts"],
    // It imports JSON as bundlers allow it, and Node.js does not.
    server: { deps: { inline: [/@actions\//] } },
    // All tests together need about 120 seconds of a processor. The others wait, so two cores suffice for four files.
    maxWorkers: 4,
    // Test files share a process, so that libraries are loaded only once.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // These limits only end tests that hang. They say nothing about speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
