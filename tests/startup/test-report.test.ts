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

test("a run whose tests all passed has no failure", async () => {
  const file = await report({ numPassedTests: 1, numFailedTests: 0, testResults: [passed] });
  expect(countReport([], file, readVitestReport)).toEqual({ passed: 1, failed: 0, failures: [] });
});

test("a failed test is reported with its reason and the command that repeats it", async () => {
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
    "a file that could not be loaded",
    { testResults: [passed, { name: "c", message: "No.", assertionResults: [] }] },
    1,
  ],
  ["a run with another exit code than 0", { testResults: [passed] }, 1],
])("%s counts as a failure beside tests that passed", async (_what, more, failed) => {
  const file = await report({ numPassedTests: 1, numFailedTests: 0, ...more });
  expect(countReport(["It ended with 1."], file, readVitestReport)).toMatchObject({ passed: 1, failed });
});

test("an error of Playwright itself counts as a failure beside tests that passed", async () => {
  const stats = { expected: 3, unexpected: 0, flaky: 0 };
  const file = await report({ config: { rootDir: folder }, stats, suites: [], errors: [{ message: "No server." }] });
  expect(countReport(["It ended with 1."], file, readPlaywrightReport)).toMatchObject({ passed: 3, failed: 1 });
});

test("a missing report and a run without tests count as failures", async () => {
  expect(countReport([], join(folder, "nothing.json"), readVitestReport)).toMatchObject({ passed: 0, failed: 1 });
  const file = await report({ numPassedTests: 0, numFailedTests: 0, testResults: [] });
  expect(countReport([], file, readVitestReport)).toMatchObject({ passed: 0, failed: 1 });
});
