// Runs the steps of `npm test` and `npm run test:long` one after the other and counts their results. At the end it
// prints each failure with its reason and the command that repeats it, and as the last line `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcessRunner } from "./process-runner.mjs";
import { countReport, npmTestCommand, readPlaywrightReport, readVitestReport } from "./test-report.mjs";

/** A step returns its counts and a text for each failure: `{ passed, failed, failures }`. */
export function startTestRun() {
  const runner = startProcessRunner();
  const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
  const total = { passed: 0, failed: 0 };
  const failures = [];

  return {
    async step(name, run) {
      if (runner.isStopped()) return;
      const started = Date.now();
      console.log(`\n── ${name}`);
      const failed = (error) => ({ passed: 0, failed: 1, failures: [error.stack ?? String(error)] });
      const result = await Promise.resolve().then(run).catch(failed);
      total.passed += result.passed;
      total.failed += result.failed;
      failures.push(...result.failures.map((failure) => `── ${name}\n${failure}`));
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`── ${name}: ${result.passed} passed, ${result.failed} failed, ${seconds} s`);
    },

    /** Runs a program and counts it as one test. The test passes if the program ends with exit code 0. */
    async program(args, { minutesMax, environment, rerunCommand = `node ${args.join(" ")}` }) {
      const problems = await runner.run(args, { minutesMax, environment });
      if (problems.length === 0) return { passed: 1, failed: 0, failures: [] };
      return { passed: 0, failed: 1, failures: [...problems, `alone: ${rerunCommand}`] };
    },

    async vitest(args, { minutesMax, environment, rerunCommand = npmTestCommand }) {
      const report = join(reports, `vitest-${Date.now()}.json`);
      const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
      const command = [packageScript("vitest"), "run", ...args, ...output];
      const problems = await runner.run(command, { minutesMax, environment });
      return countReport(problems, report, (content) => readVitestReport(content, rerunCommand));
    },

    async playwright(args, { minutesMax, environment }) {
      const report = join(reports, `playwright-${Date.now()}.json`);
      const command = [packageScript("@playwright/test", "playwright"), "test", ...args, "--reporter=list,json"];
      const problems = await runner.run(command, {
        minutesMax,
        environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      });
      return countReport(problems, report, readPlaywrightReport);
    },

    /** Prints the failures and the totals, and ends the process. */
    async finish() {
      await runner.close();
      rmSync(reports, { recursive: true, force: true });
      if (failures.length) console.log(`\n══ what failed\n\n${failures.join("\n\n")}`);
      console.log(`\n${total.passed} passed, ${total.failed} failed`);
      const isPassed = total.failed === 0 && failures.length === 0 && total.passed > 0 && !runner.isStopped();
      process.exit(isPassed ? 0 : 1);
    },
  };
}

/**
 * Returns the path of the script that a package's command runs. Start it without `npx`, which would not pass signals on
 * to it.
 */
export function packageScript(name, command = name) {
  // `require.resolve` would fail for packages that do not export their package.json.
  const folders = createRequire(import.meta.url).resolve.paths(name);
  const folder = folders.find((each) => existsSync(join(each, name, "package.json")));
  if (!folder) throw new Error(`${name} is not installed.`);
  const { bin } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
  return join(folder, name, typeof bin === "string" ? bin : bin[command]);
}
