// Finds and ends the processes that a test or a measurement started and did not end itself.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** PostgreSQL gets SIGQUIT first, which shuts it down in at most five seconds. After this limit it gets SIGKILL. */
const shutdownSecondsMax = 10;
/** How deep below the folder a data directory may lie. */
const depthMax = 5;

/**
 * Ends every process whose data or TMPDIR is in `folder`. When all have ended, resolves with a line about each. The
 * embedded PostgreSQL has a process group of its own, so a signal to the server's process group does not reach it.
 */
export async function endLeftoverProcesses(folder) {
  if (!existsSync(folder)) return [];
  const search = process.platform === "linux" ? findInProc : findByPostmasterFiles;
  const path = realpathSync(folder);
  const ended = new Map();
  const deadline = Date.now() + shutdownSecondsMax * 1000;
  // Search until two searches in a row find none: a process may have started another one meanwhile, and a new process
  // shows no environment at first.
  for (let emptySearches = 0; emptySearches < 2; ) {
    const found = search(path);
    emptySearches = found.size > 0 ? 0 : emptySearches + 1;
    for (const [pid, { line, isPostmaster }] of found) {
      // On SIGQUIT, PostgreSQL ends its own processes and frees its shared memory.
      const isGraceful = isPostmaster && Date.now() < deadline;
      if (!ended.has(pid) || !isGraceful) send(pid, isGraceful ? "SIGQUIT" : "SIGKILL");
      ended.set(pid, `${line} (process ${pid})`);
    }
    if (Date.now() > deadline + shutdownSecondsMax * 1000) break;
    await pause(50);
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
    const isPostmaster = args.some((arg) => arg.endsWith("/bin/postgres"));
    // Only PostgreSQL is recognised by its command line. A developer's editor or shell may name the folder there as
    // well, but has another TMPDIR.
    const isPostgres = isPostmaster || args.some((arg) => arg.endsWith("/bin/initdb"));
    const isOurs =
      (isPostgres && args.some((arg) => arg === folder || arg.includes(`${folder}/`))) ||
      settings.some((setting) => `${setting}/`.startsWith(`TMPDIR=${folder}/`));
    if (isOurs) found.set(pid, { line: args.join(" ").trim().slice(0, 120), isPostmaster });
  }
  return found;
}

function findByPostmasterFiles(folder) {
  const found = new Map();
  for (const file of postmasterFiles(folder, depthMax)) {
    const pid = Number.parseInt(read(file), 10);
    if (isPostgres(pid)) found.set(pid, { line: `PostgreSQL of ${file}`, isPostmaster: true });
  }
  return found;
}

function postmasterFiles(folder, depth) {
  if (existsSync(join(folder, "postmaster.pid"))) return [join(folder, "postmaster.pid")];
  if (depth === 0) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => postmasterFiles(join(folder, name), depth - 1));
}

/** Whether the process is a PostgreSQL: the id in postmaster.pid may belong to another program by now. */
function isPostgres(pid) {
  if (!(pid > 1) || !isAlive(pid)) return false;
  if (process.platform === "win32") return true;
  try {
    return execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).includes("postgres");
  } catch {
    return false;
  }
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
