// Everything that CI runs: types, lint and format, tests of the code on a real PostgreSQL, tests in a real browser.
// Ends with one line `N passed, N failed`, counted from the reports, and fails when anything did or nothing ran.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureChromium } from "./chromium.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
const total = { passed: 0, failed: 0 };
const failures = [];

await step("types", async () => count("types", await node("typescript", "tsc", ["--noEmit"])));
await step("lint and format", async () =>
  count("lint and format", await node("@biomejs/biome", "biome", ["ci", "--error-on-warnings", "."])),
);
await step("code, policies and protocol (Vitest)", async () => {
  const report = join(reports, "vitest.json");
  const code = await node("vitest", "vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  addReport(code, report, ({ numPassedTests, numFailedTests, numFailedTestSuites, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests || numFailedTestSuites,
    failures: testResults.flatMap(vitestFailures),
  }));
});
await step("a person in a browser (Playwright)", async () => {
  const report = join(reports, "playwright.json");
  const code = await node("@playwright/test", "playwright", ["test", "--reporter=list,json"], {
    CHROMIUM: ensureChromium(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  addReport(code, report, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: suites.flatMap(playwrightFailures),
  }));
});

rmSync(reports, { recursive: true, force: true });
if (failures.length) console.log(`\n── what failed\n${failures.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

async function step(name, work) {
  const started = Date.now();
  console.log(`\n── ${name}`);
  await work();
  console.log(`── ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** A check that is one yes or no counts as one. */
function count(name, code) {
  if (code === 0) total.passed += 1;
  else {
    total.failed += 1;
    failures.push(name);
  }
}

/** A run that broke without a report, or failed beside its tests, is at least one failure. */
function addReport(code, file, read) {
  let found = { passed: 0, failed: 0, failures: [] };
  try {
    found = read(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.error(`No report at the end: ${error.message}`);
  }
  total.passed += found.passed;
  total.failed += found.failed || (code === 0 && found.passed > 0 ? 0 : 1);
  failures.push(...found.failures);
}

function vitestFailures({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (!failed.length) return message ? [`${name}\n${message}`] : [];
  return failed.map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join("\n")}`);
}

function playwrightFailures({ file, specs = [], suites = [] }) {
  const failed = specs.filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === "flaky"));
  return [...failed.map(({ title }) => `${file} › ${title}`), ...suites.flatMap(playwrightFailures)];
}

/** Runs a package's command on the Node of this project. */
function node(packageName, command, args, environment = {}) {
  const require = createRequire(import.meta.url);
  const packageFile = findPackage(require, packageName);
  const { bin } = JSON.parse(readFileSync(packageFile, "utf8"));
  const script = join(dirname(packageFile), typeof bin === "string" ? bin : bin[command]);
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  return new Promise((done) => {
    child.on("error", () => done(1));
    child.on("close", (code) => done(code ?? 1));
  });
}

/** Not `require.resolve`: some packages do not export their package.json. */
function findPackage(require, name) {
  const folder = require.resolve.paths(name).map((each) => join(each, name, "package.json"));
  return folder.find((file) => {
    try {
      return readFileSync(file);
    } catch {
      return false;
    }
  });
}
