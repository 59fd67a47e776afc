// Reads the JSON reports of Vitest and Playwright: how many tests passed and failed, and a text for each failure.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));
/** The first lines of a failure name its cause; the rest is in the output above. */
const reasonLinesMax = 30;

/**
 * Counts the tests of a report. A test file or hook that breaks counts as one more failure beside the failed tests. A
 * run that breaks counts as one failure if no test failed.
 */
export function countReport(problems, file, read) {
  let counts = { passed: 0, failed: 0, failures: [] };
  try {
    counts = read(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    problems.push(`There is no report: ${error.message}`);
  }
  const { passed, failed, failures } = counts;
  if (passed + failed === 0) problems.push("No test ran.");
  // If tests failed, leave out the exit code: it says nothing more.
  const others = failures.length ? problems.filter((problem) => !/^It ended with \d+\.$/.test(problem)) : problems;
  return {
    passed,
    failed: Math.max(failed, failures.length, others.length ? 1 : 0),
    failures: [...failures, ...others],
  };
}

export function readVitestReport({ numPassedTests, numFailedTests, testResults }, rerunCommand = npmTestCommand) {
  const failures = testResults.flatMap((file) => vitestFailures(file, rerunCommand));
  return { passed: numPassedTests, failed: numFailedTests, failures };
}

export function readPlaywrightReport({ config, stats, suites, errors }) {
  const failures = [
    ...suites.flatMap((suite) => playwrightFailures(suite, config.rootDir)),
    ...errors.map(({ message }) => reason(message)),
  ];
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, failures };
}

function vitestFailures({ name, message, assertionResults }, rerunCommand) {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (!failed.length) return message ? [`${file}\n${reason(message)}\n  alone: ${rerunCommand(file)}`] : [];
  return failed.map(({ fullName, failureMessages, location: start }) => {
    const location = start ? `${file}:${start.line}` : file;
    return `${location} › ${fullName}\n${reason(failureMessages.join("\n"))}\n  alone: ${rerunCommand(location)}`;
  });
}

function playwrightFailures({ specs = [], suites = [] }, rootDir) {
  const failed = specs.filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === "flaky"));
  return [
    ...failed.map(({ title, file, line, tests }) => {
      const location = `${relative(root, join(rootDir, file))}:${line}`;
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
      return `${location} › ${title}\n${reason(errors.map(({ message }) => message).join("\n"))}\n  alone: ${npmTestCommand(location)}`;
    }),
    ...suites.flatMap((suite) => playwrightFailures(suite, rootDir)),
  ];
}

/** The command that runs the tests at this location alone. */
export function npmTestCommand(location) {
  const { TEST_SEED: seed } = process.env;
  return `${seed && seed !== "1" ? `TEST_SEED=${seed} ` : ""}npm test -- ${location}`;
}

function reason(message = "") {
  const lines = stripVTControlCharacters(message).trimEnd().split("\n").slice(0, reasonLinesMax);
  return lines.map((line) => `  ${line}`).join("\n");
}
