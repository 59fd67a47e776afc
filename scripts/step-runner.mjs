// Runs the steps of `npm test` and `npm run test:long` one after the other, the steps of a list at once. At the end it
// prints each failure with the command that repeats it, and as the last line `N passed, N failed`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { load } from "cheerio/slim";

const root = fileURLToPath(new URL("../", import.meta.url));
const supervisor = fileURLToPath(new URL("process-supervisor.mjs", import.meta.url));
/** The first lines of a failure name its cause; the rest is in the output above. */
const failureLinesMax = 30;

/**
 * A step has a `name` and the arguments of a test runner, `vitest` or `playwright`, or the path and the arguments of a
 * `program` of Node.js, which counts as one test and passes if it ends with 0. Optional are `prepare`, which runs before
 * it, `environment`, `minutesMax`, and `repeat`, the command that repeats the step.
 */
export async function runSteps(steps) {
  let passed = 0;
  const failures = [];
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort());

  for (const group of steps) {
    if (stop.signal.aborted) break;
    await Promise.all([group].flat().map(run));
  }
  if (failures.length > 0) console.log(`\n══ what failed\n\n${failures.join("\n\n")}`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exit(passed > 0 && failures.length === 0 && !stop.signal.aborted ? 0 : 1);

  async function run(step) {
    const started = Date.now();
    console.log(`\n── ${step.name}`);
    const result = await runStep(step, stop.signal).catch((error) => ({ passed: 0, failures: [error.stack] }));
    passed += result.passed;
    failures.push(...result.failures.map((failure) => `── ${step.name}\n${failure}`));
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`── ${step.name}: ${result.passed} passed, ${result.failures.length} failed, ${seconds} s`);
  }
}

async function runStep(step, signal) {
  await step.prepare?.();
  // The supervisor recognises the processes of the step by this folder.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "test-step-")));
  // PostgreSQL may run as another user, which needs access to its data directory below this folder.
  chmodSync(folder, 0o711);
  const report = join(folder, "report.xml");
  const child = spawn(process.execPath, [supervisor, String(step.minutesMax ?? 20), ...programOf(step, report)], {
    cwd: root,
    env: {
      ...process.env,
      // No test may read a developer's `.env`, which may lead to a real database.
      ENV_FILE: "",
      PLAYWRIGHT_JUNIT_OUTPUT_FILE: report,
      ...step.environment,
      ...{ TMPDIR: folder, TEMP: folder, TMP: folder },
    },
    // In a process group of its own, Ctrl-C does not end the supervisor, which has to end the others.
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  signal.addEventListener("abort", () => child.stdin.end());
  const [code] = await once(child, "exit");

  const { program, repeat = program ? `node ${program.join(" ")}` : "npm test" } = step;
  const result = program ? { passed: code === 0 ? 1 : 0, failures: [] } : readReport(step, report);
  const { passed, failures } = result;
  // Without a failed test, a crash, an error outside of the tests or a process left behind is a failure of the step.
  if (failures.length === 0 && (code !== 0 || passed === 0))
    failures.push(`It ended with ${code}. The reason is in the output above.\n  alone: ${repeat}`);
  rmSync(report, { force: true });
  // Playwright keeps what belongs to a failure in test-results/.
  if (failures.length > 0 && !step.playwright && existsSync(folder) && readdirSync(folder).length > 0)
    console.log(`What it wrote is in ${folder}.`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return result;
}

function programOf({ program, vitest, playwright }, report) {
  if (vitest)
    return [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...vitest,
      ...["--reporter=default", "--reporter=junit", `--outputFile.junit=${report}`],
    ];
  if (playwright) return ["node_modules/@playwright/test/cli.js", "test", ...playwright, "--reporter=list,junit"];
  return program;
}

/** Reads the JUnit report of Vitest or Playwright. Without a report, no test has passed. */
function readReport({ environment, repeat }, report) {
  if (!existsSync(report)) return { passed: 0, failures: [] };
  const $ = load(readFileSync(report, "utf8"), { xml: true });
  const { TEST_SEED: seed = "1" } = { ...process.env, ...environment };
  const failures = $("testcase:has(failure, error)").map((_, test) => {
    const file = $(test).attr("classname");
    const reason = stripVTControlCharacters($(test).children("failure, error").text().trim());
    const alone = repeat ?? `${seed === "1" ? "" : `TEST_SEED=${seed} `}npm test -- ${file}`;
    return `${file} › ${$(test).attr("name")}\n${reason.split("\n").slice(0, failureLinesMax).join("\n")}\n  alone: ${alone}`;
  });
  return { passed: $("testcase:not(:has(failure, error, skipped))").length, failures: failures.get() };
}
