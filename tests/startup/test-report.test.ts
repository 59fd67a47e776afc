import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countReport, readPlaywrightReport, readVitestReport } from "../../scripts/test-report.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reports-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function report(content: unknown): Promise<string> {
  const file = join(folder, "report.json");
  await writeFile(file, JSON.stringify(content));
  return file;
}

const passed = { name: "a.test.ts", message: "", assertionResults: [{ status: "passed" }] };

test("a report of a test run whose tests all passed has no failures", async () => {
  const file = await report({ numPassedTests: 1, numFailedTests: 0, testResults: [passed] });
  expect(countReport([], file, readVitestReport)).toEqual({ passed: 1, failed: 0, failures: [] });
});

test("a failed test is reported with the reason and the command that repeats the test", async () => {
  const failure = { status: "failed", fullName: "birds sing", failureMessages: ["They were silent."] };
  const testResults = [{ name: "b.test.ts", assertionResults: [{ ...failure, location: { line: 7 } }] }];
  const file = await report({ numPassedTests: 0, numFailedTests: 1, testResults });
  const { failed, failures } = countReport(["It ended with 1."], file, readVitestReport);
  expect(failed).toBe(1);
  expect(failures).toEqual([
    expect.stringMatching(/b\.test\.ts:7 › birds sing\n {2}They.*\n {2}alone: .*npm test -- /),
  ]);
});

test.each([
  [
    "a test file that could not be loaded",
    { testResults: [passed, { name: "c", message: "No.", assertionResults: [] }] },
    1,
  ],
  ["a test run with a non-zero exit code", { testResults: [passed] }, 1],
])("%s counts as a failure, although no test failed", async (_what, more, failed) => {
  const file = await report({ numPassedTests: 1, numFailedTests: 0, ...more });
  expect(countReport(["It ended with 1."], file, readVitestReport)).toMatchObject({ passed: 1, failed });
});

test("an error of Playwright itself counts as a failure, although no test failed", async () => {
  const stats = { expected: 3, unexpected: 0, flaky: 0 };
  const file = await report({ config: { rootDir: folder }, stats, suites: [], errors: [{ message: "No server." }] });
  expect(countReport(["It ended with 1."], file, readPlaywrightReport)).toMatchObject({ passed: 3, failed: 1 });
});

test("a missing report or a test run without tests counts as a failure", async () => {
  expect(countReport([], join(folder, "nothing.json"), readVitestReport)).toMatchObject({ passed: 0, failed: 1 });
  const file = await report({ numPassedTests: 0, numFailedTests: 0, testResults: [] });
  expect(countReport([], file, readVitestReport)).toMatchObject({ passed: 0, failed: 1 });
});
