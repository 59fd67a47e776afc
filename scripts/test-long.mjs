// `npm run test:long`: what is worth knowing and too long for `npm test`, one after the other. Each step prints its own
// figures; the last line is `N passed, N failed`, counted from the tests and from one per measurement. `--only chaos,soak`
// runs the steps whose name contains one of these, `--short` runs each at a fraction of its size.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureFirefox } from "./firefox.mjs";
import { fetchMajors } from "./postgres-majors.mjs";
import { startRunner } from "./programs.mjs";

const { values: chosen } = parseArgs({
  options: { only: { type: "string", default: "" }, short: { type: "boolean", default: false } },
});
const root = fileURLToPath(new URL("../", import.meta.url));
const reports = mkdtempSync(join(tmpdir(), "test-reports-"));
const size = (whole, short) => String(chosen.short ? short : whole);
const newSeed = () => String(1 + Math.floor(Math.random() * (2 ** 31 - 1)));

const steps = [
  bench("chaos", ["bench/chaos.ts", "--contacts", size(1000, 40), "--kills", size(30, 4), "--seed", newSeed()], 15),
  bench(
    "chaos, many runs",
    ["bench/chaos.ts", "--runs", size(12, 2), "--at-once", size(3, 2), "--kills", size(8, 4)].concat(
      ["--contacts", size(80, 40)],
      ["--seed", newSeed()],
    ),
    40,
  ),
  bench("restarts of the embedded PostgreSQL", ["bench/restarts.ts", "--seconds", size(120, 10)], 20),
  bench("restarts of an external PostgreSQL", ["bench/restarts.ts", "--external", "--seconds", size(120, 10)], 20),
  bench("slow clients", ["bench/slow-clients.ts", "--seconds", size(180, 10)], 15),
  bench("soak", ["bench/soak.ts", "--seconds", size(600, 10), "--seed", newSeed()], 20),
  {
    name: "policies on PostgreSQL 15 to 18",
    prepare: fetchMajors,
    run: () => vitest(["tests/policies/versions.test.ts"], { POSTGRES_MAJORS: "all" }),
  },
  ...Array.from({ length: Number(size(3, 1)) }, () => properties(newSeed())),
  {
    name: "Firefox",
    prepare: ensureFirefox,
    run: () => vitest(["--config", "tests/firefox/vitest.config.ts"]),
  },
];

const wanted = chosen.only.split(",").map((part) => part.trim().toLowerCase());
const runner = startRunner();
const total = { passed: 0, failed: 0 };
const failures = [];
for (const { name, prepare, run } of steps) {
  if (runner.isStopped() || !wanted.some((part) => name.toLowerCase().includes(part))) continue;
  const started = Date.now();
  console.log(`\n── ${name}`);
  let found;
  try {
    prepare?.();
    found = await run();
  } catch (error) {
    found = { passed: 0, failed: 1, failures: [error.message] };
  }
  total.passed += found.passed;
  total.failed += found.failed;
  failures.push(...found.failures.map((failure) => `${name}: ${failure}`));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${found.passed} passed, ${found.failed} failed, ${seconds} s`);
}
await runner.close();
rmSync(reports, { recursive: true, force: true });

if (failures.length) console.log(`\n── what failed\n${failures.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 && !runner.isStopped() ? 0 : 1);

/** A measurement says by its exit code whether all is well. */
function bench(name, args, minutesMax) {
  return {
    name,
    async run() {
      if (!existsSync(join(root, args[0]))) throw new Error(`${args[0]} is not there.`);
      const problems = await runner.run(args, { minutesMax });
      const failure = `node ${args.join(" ")}\n  ${problems.join("\n  ")}`;
      return problems.length ? { passed: 0, failed: 1, failures: [failure] } : { passed: 1, failed: 0, failures: [] };
    },
  };
}

/** The tests that try inputs at random, with a seed that `npm test` does not use. */
function properties(seed) {
  return {
    name: `properties, TEST_SEED=${seed}`,
    run: () => vitest(filesWithProperties(), { TEST_SEED: seed }),
  };
}

function filesWithProperties() {
  return ["content", "rules", "validation", "site", "server", "tests"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => /from "(fast-check|.*support\/property)(\.ts)?"/.test(readFileSync(join(root, file), "utf8")));
}

async function vitest(args, environment = {}) {
  const report = join(reports, `${Date.now()}.json`);
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const problems = await runner.run([script("vitest"), "run", ...args, ...output], { minutesMax: 15, environment });
  const { numPassedTests: passed, numFailedTests: failed, testResults } = readReport(report);
  const settings = Object.entries(environment).map((setting) => `${setting.join("=")} `);
  const again = `To run it again: ${settings.join("")}npx vitest run ${args.join(" ")}`;
  const failures = [...testResults.flatMap(failuresIn), ...problems];
  // A run that broke beside its tests, or without a report, is at least one failure.
  return {
    passed,
    failed: failed || (failures.length || passed === 0 ? 1 : 0),
    failures: failures.length ? [...failures, again] : [],
  };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const message = `There is no report: ${error.message}`;
    return { numPassedTests: 0, numFailedTests: 0, testResults: [{ name: "", message, assertionResults: [] }] };
  }
}

function failuresIn({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (!failed.length) return message ? [`${relative(root, name)} ${message}`] : [];
  return failed.map(
    ({ fullName, failureMessages }) => `${relative(root, name)} › ${fullName}\n${failureMessages.join("\n")}`,
  );
}

/** The program of a package: not through `npx`, which would stand between it and its signals. */
function script(name) {
  const require = createRequire(import.meta.url);
  const folder = require.resolve.paths(name).find((each) => existsSync(join(each, name, "package.json")));
  const { bin } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
  return join(folder, name, typeof bin === "string" ? bin : bin[name]);
}
