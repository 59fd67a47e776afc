// Finds and ends the processes that a test or a measurement started and did not end itself.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** On SIGQUIT, PostgreSQL ends its own processes and frees its shared memory, in five seconds at most. */
const shutdownSecondsMax = 10;

/**
 * Ends every process whose data or TMPDIR is in `folder`. When all have ended, resolves with a line about each. The
 * embedded PostgreSQL has a process group of its own, so a signal to the server's process group does not reach it.
 */
export async function endLeftoverProcesses(folder) {
  if (!existsSync(folder)) return [];
  const search = process.platform === "linux" ? findInProc : findByPostmasterFiles;
  const path = realpathSync(folder);
  const ended = new Map();
  const killAt = Date.now() + shutdownSecondsMax * 1000;
  // Search until two searches in a row find none: a process may have started another one meanwhile, and a new process
  // shows no environment at first.
  for (let emptySearches = 0; emptySearches < 2 && Date.now() < killAt + shutdownSecondsMax * 1000; await pause(50)) {
    const found = search(path);
    emptySearches = found.size > 0 ? 0 : emptySearches + 1;
    for (const [pid, { line, isPostgres }] of found) {
      ended.set(pid, `${line} (process ${pid})`);
      send(pid, isPostgres && Date.now() < killAt ? "SIGQUIT" : "SIGKILL");
    }
  }
  return [...ended.values()];
}

/**
 * Searches the command line and the environment of each process, which Linux shows in /proc. So this finds a PostgreSQL
 * even before it has written postmaster.pid.
 */
function findInProc(folder) {
  const found = new Map();
  for (const pid of readdirSync("/proc").map(Number)) {
    if (!(pid > 1) || pid === process.pid || !isAlive(pid)) continue;
    const args = read(`/proc/${pid}/cmdline`).split("\0");
    const settings = read(`/proc/${pid}/environ`).split("\0");
    // Only PostgreSQL is recognised by its command line. A developer's editor or shell may name the folder there as
    // well, but has another TMPDIR.
    const isPostgres = args.some((arg) => /\/bin\/(postgres|initdb)$/.test(arg));
    const isOurs =
      (isPostgres && args.some((arg) => arg === folder || arg.includes(`${folder}/`))) ||
      settings.some((setting) => `${setting}/`.startsWith(`TMPDIR=${folder}/`));
    if (isOurs) found.set(pid, { line: args.join(" ").trim().slice(0, 120), isPostgres });
  }
  return found;
}

function findByPostmasterFiles(folder) {
  const pids = globSync(join(folder, "**/postmaster.pid")).map((file) => Number.parseInt(read(file), 10));
  const alive = pids.filter((pid) => pid > 1 && isAlive(pid) && isPostgres(pid));
  return new Map(alive.map((pid) => [pid, { line: "PostgreSQL", isPostgres: true }]));
}

/** The id in postmaster.pid may belong to another program by now. */
function isPostgres(pid) {
  const isWindows = process.platform === "win32";
  const [program, ...args] = isWindows ? ["tasklist", "/NH", "/FI", `PID eq ${pid}`] : ["ps", "-o", "comm=", "-p", pid];
  return spawnSync(program, args.map(String), { encoding: "utf8" }).stdout?.includes("postgres");
}

/** A zombie counts as ended: its parent has not read its exit code yet. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return process.platform !== "linux" || !/^\d+ \(.*\) [ZX]/s.test(read(`/proc/${pid}/stat`) || "0 (gone) X");
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
