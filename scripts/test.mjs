// `npm test`, as in CI: types, lint and format, unused code and packages, tests of the code on a real PostgreSQL, tests in
// a real browser.
// `npm test -- FILE[:LINE] …` runs those tests alone; a folder runs its tests. The last line is `N passed, N failed`.
import { readFileSync, statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ensureChromium } from "./browsers.mjs";
import { runSteps } from "./step-runner.mjs";

// One seed for all property tests of a run (tests/support/seeded-fast-check.ts).
const { TEST_SEED: seed = "1" } = process.env;
process.env.TEST_SEED = seed === "random" ? String(1 + Math.floor(Math.random() * (2 ** 31 - 1))) : seed;
console.log(`Property tests draw from TEST_SEED=${process.env.TEST_SEED}.`);
// The tests start the server and the commands a few hundred times; with a compile cache each start takes half the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../.cache/compiled/", import.meta.url));

// The tests fill some hundred data folders of PostgreSQL. In memory, they do not wait for the disk. What a killed process
// has written is kept there as well; only a power failure would lose it, which no test imitates.
const memory = "/dev/shm";
const memoryBytesMin = 4 * 2 ** 30;
if (hasRoomInMemory()) process.env.TMPDIR ??= memory;

const requested = process.argv.slice(2);
const isBrowserTest = (name) => /\.spec\.ts(:\d+)?$|^(\.\/)?tests\/e2e\/?$/.test(name);
const [files, specs] = [requested.filter((name) => !isBrowserTest(name)), requested.filter(isBrowserTest)];
// They run at once. On two processors, one checker takes two thirds of the time that the usual four take together.
const checks = [
  { name: "types", program: ["node_modules/typescript/bin/tsc", "--noEmit", "--checkers", "1"] },
  { name: "lint and format", program: ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "."] },
  { name: "unused code and packages", program: ["node_modules/knip/bin/knip.js", "--no-progress"] },
  { name: "code that only tests use", program: ["node_modules/knip/bin/knip.js", "--no-progress", "--production"] },
];
const vitest = { name: "code, policies and protocol (Vitest)", vitest: files };
const playwright = { name: "a person in a browser (Playwright)", playwright: specs, prepare: ensureChromium };
const isAll = requested.length === 0;
// Rare cases run in `npm run test:long`, and when their file is named (tests/support/rare-cases.ts).
process.env.TEST_RARE ??= isAll ? "off" : "on";
await runSteps([
  ...(isAll ? [checks] : []),
  ...(isAll || files.length > 0 ? [vitest] : []),
  ...(isAll || specs.length > 0 ? [playwright] : []),
]);

/** Whether the folder in memory exists, may hold programs, and is large enough: in a container it often is not. */
function hasRoomInMemory() {
  if (process.platform !== "linux" || process.availableMemory() < memoryBytesMin) return false;
  if (!/^tmpfs \/dev\/shm tmpfs (?!\S*noexec)/m.test(readFileSync("/proc/mounts", "utf8"))) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= memoryBytesMin;
}
