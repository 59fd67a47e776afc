// Runs child programs and ends every process that they leave behind, also when this process itself is killed.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endLeftoverProcesses } from "./leftover-processes.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** How long a program may take to end after SIGTERM, before it gets SIGKILL. */
const stopSecondsMax = 45;

/** Runs one program at a time. SIGINT, SIGTERM and SIGHUP end the running program, and no other starts. */
export function startProcessRunner() {
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL("./orphan-watchdog.mjs", import.meta.url))], {
    // The watchdog has a process group of its own, so that Ctrl-C in a terminal does not end it.
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const watchdogEnded = new Promise((done) => watchdog.once("exit", done).once("error", done));
  watchdog.stdin.on("error", () => {});
  const informWatchdog = (running) => watchdog.stdin.write(`${JSON.stringify(running)}\n`);

  let isStopped = false;
  let endCurrent = () => {};
  const stop = () => {
    isStopped = true;
    endCurrent();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

  return { run, close, isStopped: () => isStopped };

  /** Resolves when the program and all processes that it started have ended, with a sentence for each problem. */
  async function run(args, { minutesMax, environment = {} }) {
    if (isStopped) return ["It was not started."];
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "run-")));
    // PostgreSQL may run as another user, which needs access to its data directory below this folder.
    chmodSync(folder, 0o711);
    const child = spawn(process.execPath, args, {
      cwd: root,
      // The watchdog and the search for leftover processes recognise the program's processes by this folder.
      // No program may read a developer's `.env`, which may lead to a real database.
      env: { ...process.env, ENV_FILE: "", ...environment, TMPDIR: folder, TEMP: folder, TMP: folder },
      // The program has a process group of its own, so that one signal reaches all its processes.
      detached: process.platform !== "win32",
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exit = new Promise((done) => {
      child.once("error", (error) => done(error.message));
      child.once("exit", (code, signal) => done(code ?? signal));
    });
    informWatchdog({ group: child.pid, folder });

    const problems = [];
    let killTimer;
    endCurrent = () => {
      signalGroup(child, "SIGTERM");
      killTimer ??= setTimeout(() => signalGroup(child, "SIGKILL"), stopSecondsMax * 1000);
    };
    const limit = setTimeout(() => {
      problems.push(`It took more than ${minutesMax} minutes.`);
      endCurrent();
    }, minutesMax * 60_000);
    const code = await exit;
    clearTimeout(limit);
    clearTimeout(killTimer);
    endCurrent = () => {};
    signalGroup(child, "SIGKILL");
    const leftovers = await endLeftoverProcesses(folder);

    if (isStopped) problems.push("It was stopped.");
    else if (code !== 0) problems.push(`It ended with ${code}.`);
    if (problems.length === 0) problems.push(...leftovers.map((line) => `It left a process behind: ${line}.`));
    if (problems.length > 0 && !isStopped && readdirSync(folder).length > 0)
      problems.push(`What it wrote is in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    informWatchdog({});
    return problems;
  }

  function close() {
    watchdog.stdin.end();
    return watchdogEnded;
  }
}

function signalGroup(child, signal) {
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All processes of the program have already ended.
  }
}
