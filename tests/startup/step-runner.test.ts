import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { endLeftoverProcesses, isAlive } from "../../scripts/leftover-processes.mjs";
import { withRareCases } from "../support/rare-cases.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const timeout = 50_000;
let folder: string;
beforeEach(async () => {
  folder = await realpath(await temporaryFolder());
});
afterEach(async () => {
  await endLeftoverProcesses(folder);
  await rm(folder, { recursive: true, force: true });
});

/** Runs steps as `npm test` does. Their temporary files go to the folder of the test. */
function run(...steps: object[]) {
  const code = `
    import { runSteps } from "./scripts/step-runner.mjs";
    await runSteps(${JSON.stringify(steps)});`;
  const { VITEST: _, NODE_ENV: __, ...environment } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    cwd: root,
    env: { ...environment, TMPDIR: folder, TEST_SEED: "7" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  const ended = once(child, "close").then(([exitCode]) => ({ exitCode, printed }));
  /** The ids of the processes that `startsAnother` has printed. */
  const pids = () => vi.waitUntil(() => /^processes (\d+) (\d+)\n/m.exec(printed)?.slice(1).map(Number), { timeout });
  return { child, ended, pids };
}

/** A program that starts a process which outlives it, in a process group of its own, as the embedded PostgreSQL has. */
const startsAnother = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
  child.unref();
  console.log("processes", process.pid, child.pid);`;
const hangs = { name: "hangs", program: ["-e", `${startsAnother} setInterval(() => {}, 1000);`] };
const passes = { name: "passes", program: ["-e", ""] };

test("the last line counts tests of a report, files that do not load, programs, and suites that crash", async () => {
  await writeFile(join(folder, "a.test.js"), 'test("sings", () => {}); test("flies", () => expect(1).toBe(2));');
  await writeFile(join(folder, "b.test.js"), 'import "./missing.js";');
  const suite = { name: "suite", vitest: ["--root", folder, "--globals"] };
  const crash = { name: "crash", vitest: ["--no-such-option"] };
  const { exitCode, printed } = await run(suite, passes, { name: "fails", program: ["-e", "process.exit(3)"] }, crash)
    .ended;
  expect(printed).toMatch(/\n2 passed, 4 failed\n$/);
  expect(printed).toMatch(
    /── suite\na\.test\.js › flies\n.*expected 1 to be 2.*\n {2}alone: TEST_SEED=7 npm test -- a\.test\.js\n/s,
  );
  expect(exitCode).toBe(1);
});

// On other systems than Linux, only a PostgreSQL is found in a process group of its own.
test.runIf(process.platform === "linux")("a process that a program leaves behind ends and is a failure", async () => {
  const { ended, pids } = run({ name: "leaves", program: ["-e", startsAnother] });
  expect((await ended).printed).toMatch(/\n0 passed, 1 failed\n$/);
  expect((await pids()).filter(isAlive)).toEqual([]);
});

test.runIf(process.platform === "linux").each([["SIGINT"], ...(withRareCases ? [["SIGKILL"] as const] : [])] as const)(
  "after %s all processes end, and their files are removed",
  async (signal) => {
    const { child, ended, pids } = run(hangs);
    const started = await pids();
    expect(started.filter(isAlive)).toEqual(started);
    child.kill(signal);
    expect((await ended).exitCode).not.toBe(0);
    await vi.waitUntil(async () => !started.some(isAlive) && (await readdir(folder)).length === 0, { timeout });
  },
);

test.runIf(withRareCases)("a program that takes too long is ended and is a failure", async () => {
  const { printed } = await run({ ...hangs, minutesMax: 0.01 }, passes).ended;
  expect(printed).toMatch(/\n1 passed, 1 failed\n$/);
});
