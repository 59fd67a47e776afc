import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endLeftoverProcesses, isAlive } from "../../scripts/leftover-processes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "programs-")));
});
afterEach(async () => {
  await endLeftoverProcesses(folder);
  await rm(folder, { recursive: true, force: true });
});

/**
 * A program that starts a child process. Like PostgreSQL, the child has its own process group and still runs after the
 * program has ended.
 */
const startsAnother = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
  child.unref();
  console.log("processes", process.pid, child.pid);`;

// These processes are found by their environment variables, which only Linux shows. On other systems only PostgreSQL is
// found, by its postmaster.pid.
describe.runIf(process.platform === "linux")("processes that a program leaves behind", () => {
  test("end with the program and are reported as a failure", async () => {
    const runner = run(startsAnother);
    const pids = await runner.pids();
    expect(await runner.printed(/problems (.*)/)).toMatch(/^\["It left a process behind: .*\]$/);
    await runner.closed;
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("end when the test run is killed, and their files are removed", async () => {
    const runner = run(`${startsAnother} setInterval(() => {}, 1000);`);
    const pids = await runner.pids();
    expect(pids.filter(isAlive)).toEqual(pids);
    runner.child.kill("SIGKILL");
    await until(async () => !pids.some(isAlive) && (await readdir(folder)).length === 0);
  });

  test("end when the program takes too long", async () => {
    const runner = run(`${startsAnother} setInterval(() => {}, 1000);`);
    const pids = await runner.pids();
    runner.child.kill(timeLimitSignal);
    expect(await runner.printed(/problems (.*)/)).toContain("It took more than");
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

/**
 * The signal that triggers the runner's time limit. A real time limit of some seconds could end before the program has
 * started.
 */
const timeLimitSignal = "SIGUSR2";
const minutesMax = 5;

/** Starts a process that runs a program as `npm run test:long` does. Temporary files go to the folder of the test. */
function run(program: string) {
  const code = `
    import { startProcessRunner } from "./scripts/process-runner.mjs";
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, milliseconds) => {
      if (milliseconds !== ${minutesMax * 60_000}) return setTimeout(work, milliseconds);
      process.once("${timeLimitSignal}", work);
    };
    const runner = startProcessRunner();
    const problems = await runner.run(["-e", ${JSON.stringify(program)}], { minutesMax: ${minutesMax} });
    console.log("problems", JSON.stringify(problems));
    await runner.close();
    process.exit();`;
  const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", code], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  async function printed(line: RegExp): Promise<string> {
    await until(() => line.test(text));
    return line.exec(text)?.[1] ?? "";
  }
  // Listen before anything is awaited: a listener that is added after the event does not get the event.
  const closed = once(child, "close");
  return { child, closed, printed, pids: async () => (await printed(/processes (\d+ \d+)\n/)).split(" ").map(Number) };
}

async function until(isTrue: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 50_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("Waited for fifty seconds in vain.");
    await new Promise((done) => setTimeout(done, 20));
  }
}
