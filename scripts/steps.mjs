// What `npm test` and `npm run test:long` share: they run one program after the other, count what its report says, and
// end with what failed, why, and how to run it alone, above the one line `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { startRunner } from "./programs.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** As much of a failure as says why: the rest is further up, where it happened. */
const reasonLinesMax = 30;

/** A step returns what it found: `{ passed, failed, failures }`, the failures in words. */
export function startSteps() {
  const runner = startRunner();
  const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
  const total = { passed: 0, failed: 0 };
  const failures = [];

  return {
    async step(name, run) {
      if (runner.isStopped()) return;
      const started = Date.now();
      console.log(`\n── ${name}`);
      const failed = (error) => ({ passed: 0, failed: 1, failures: [error.stack ?? String(error)] });
      const found = await Promise.resolve().then(run).catch(failed);
      total.passed += found.passed;
      total.failed += found.failed;
      failures.push(...found.failures.map((failure) => `── ${name}\n${failure}`));
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`── ${name}: ${found.passed} passed, ${found.failed} failed, ${seconds} s`);
    },

    /** A program that says by its exit code whether all is well counts as one. */
    async program(args, { minutesMax, environment, alone = `node ${args.join(" ")}` }) {
      const problems = await runner.run(args, { minutesMax, environment });
      if (problems.length === 0) return { passed: 1, failed: 0, failures: [] };
      return { passed: 0, failed: 1, failures: [...problems, `alone: ${alone}`] };
    },

    async vitest(args, { minutesMax, environment, alone = aloneInNpmTest }) {
      const report = join(reports, `vitest-${Date.now()}.json`);
      const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
      const command = [packageScript("vitest"), "run", ...args, ...output];
      const problems = await runner.run(command, { minutesMax, environment });
      return counted(problems, report, (written) => readVitest(written, alone));
    },

    async playwright(args, { minutesMax, environment }) {
      const report = join(reports, `playwright-${Date.now()}.json`);
      const command = [packageScript("@playwright/test", "playwright"), "test", ...args, "--reporter=list,json"];
      const problems = await runner.run(command, {
        minutesMax,
        environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      });
      return counted(problems, report, readPlaywright);
    },

    /** Prints what failed and the closing line, and ends the process. */
    async finish() {
      await runner.close();
      rmSync(reports, { recursive: true, force: true });
      if (failures.length) console.log(`\n══ what failed\n\n${failures.join("\n\n")}`);
      console.log(`\n${total.passed} passed, ${total.failed} failed`);
      const isGood = total.failed === 0 && failures.length === 0 && total.passed > 0 && !runner.isStopped();
      process.exit(isGood ? 0 : 1);
    },
  };
}

/** The program of a package: not through `npx`, which would stand between it and its signals. */
export function packageScript(name, command = name) {
  // Not `require.resolve`: some packages do not export their package.json.
  const folders = createRequire(import.meta.url).resolve.paths(name);
  const folder = folders.find((each) => existsSync(join(each, name, "package.json")));
  if (!folder) throw new Error(`${name} is not installed.`);
  const { bin } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
  return join(folder, name, typeof bin === "string" ? bin : bin[command]);
}

/** What a report says. A test file, a hook or a run that broke beside its tests is a failure more. */
export function counted(problems, file, read) {
  let found = { passed: 0, failed: 0, failures: [] };
  try {
    found = read(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    problems.push(`There is no report: ${error.message}`);
  }
  const { passed, failed, failures } = found;
  if (passed + failed === 0) problems.push("No test ran.");
  // The exit code repeats what the failed tests say.
  const more = failures.length ? problems.filter((problem) => !/^It ended with \d+\.$/.test(problem)) : problems;
  return { passed, failed: Math.max(failed, failures.length, more.length ? 1 : 0), failures: [...failures, ...more] };
}

export function readVitest({ numPassedTests, numFailedTests, testResults }, alone = aloneInNpmTest) {
  const failures = testResults.flatMap((file) => vitestFailures(file, alone));
  return { passed: numPassedTests, failed: numFailedTests, failures };
}

export function readPlaywright({ config, stats, suites, errors }) {
  const failures = [
    ...suites.flatMap((suite) => playwrightFailures(suite, config.rootDir)),
    ...errors.map(({ message }) => reason(message)),
  ];
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, failures };
}

function vitestFailures({ name, message, assertionResults }, alone) {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (!failed.length) return message ? [`${file}\n${reason(message)}\n  alone: ${alone(file)}`] : [];
  return failed.map(({ fullName, failureMessages, location }) => {
    const place = location ? `${file}:${location.line}` : file;
    return `${place} › ${fullName}\n${reason(failureMessages.join("\n"))}\n  alone: ${alone(place)}`;
  });
}

function playwrightFailures({ specs = [], suites = [] }, rootDir) {
  const failed = specs.filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === "flaky"));
  return [
    ...failed.map(({ title, file, line, tests }) => {
      const place = `${relative(root, join(rootDir, file))}:${line}`;
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
      return `${place} › ${title}\n${reason(errors.map(({ message }) => message).join("\n"))}\n  alone: ${aloneInNpmTest(place)}`;
    }),
    ...suites.flatMap((suite) => playwrightFailures(suite, rootDir)),
  ];
}

function aloneInNpmTest(place) {
  const { TEST_SEED: seed } = process.env;
  return `${seed && seed !== "1" ? `TEST_SEED=${seed} ` : ""}npm test -- ${place}`;
}

function reason(message = "") {
  const lines = stripVTControlCharacters(message).trimEnd().split("\n").slice(0, reasonLinesMax);
  return lines.map((line) => `  ${line}`).join("\n");
}
