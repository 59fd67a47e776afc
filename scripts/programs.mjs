// Runs programs so that nothing they start outlives them, nor this process, whatever ends it.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endLeftovers } from "./leftovers.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** How long a program may take to end what it started, once it is told to. */
const endSecondsMax = 45;

/** Runs one program of ours after the other; SIGINT and SIGTERM end the one that runs, and no other starts. */
export function startRunner() {
  const guard = spawn(process.execPath, [fileURLToPath(new URL("./guard.mjs", import.meta.url))], {
    // Out of reach for the signals of a terminal.
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const guardEnded = new Promise((done) => guard.once("exit", done).once("error", done));
  guard.stdin.on("error", () => {});
  const tellGuard = (running) => guard.stdin.write(`${JSON.stringify(running)}\n`);

  let isStopped = false;
  let endCurrent = () => {};
  const stop = () => {
    isStopped = true;
    endCurrent();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

  return { run, close, isStopped: () => isStopped };

  /** Resolves with what went wrong, a sentence each, when the program and everything that it started has ended. */
  async function run(args, { minutesMax, environment = {} }) {
    if (isStopped) return ["It was not started."];
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "run-")));
    // PostgreSQL may run as another user, whose way to its data leads through here.
    chmodSync(folder, 0o711);
    const child = spawn(process.execPath, args, {
      cwd: root,
      // Whatever it makes lies in there, which marks what it starts.
      env: { ...process.env, ...environment, TMPDIR: folder, TEMP: folder, TMP: folder },
      // A group of its own, so that one signal reaches all of it.
      detached: process.platform !== "win32",
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exit = new Promise((done) => {
      child.once("error", (error) => done(error.message));
      child.once("exit", (code, signal) => done(code ?? signal));
    });
    tellGuard({ group: child.pid, folder });

    const problems = [];
    let last;
    endCurrent = () => {
      signalGroup(child, "SIGTERM");
      last ??= setTimeout(() => signalGroup(child, "SIGKILL"), endSecondsMax * 1000);
    };
    const limit = setTimeout(() => {
      problems.push(`It took more than ${minutesMax} minutes.`);
      endCurrent();
    }, minutesMax * 60_000);
    const code = await exit;
    clearTimeout(limit);
    clearTimeout(last);
    endCurrent = () => {};
    signalGroup(child, "SIGKILL");
    const leftovers = await endLeftovers(folder);

    if (isStopped) problems.push("It was stopped.");
    else if (code !== 0) problems.push(`It ended with ${code}.`);
    if (problems.length === 0) problems.push(...leftovers.map((line) => `It left a process behind: ${line}.`));
    if (problems.length > 0 && !isStopped && readdirSync(folder).length > 0)
      problems.push(`What it wrote is in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    tellGuard({});
    return problems;
  }

  function close() {
    guard.stdin.end();
    return guardEnded;
  }
}

function signalGroup(child, signal) {
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of it has ended.
  }
}
