// Ends what a test or a measurement left running: the last resort, after it has stopped what it started.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** An immediate shutdown of PostgreSQL takes five seconds at most; then everything is killed. */
const patienceSeconds = 10;
/** How deep below the folder a data directory may lie. */
const depthMax = 5;

/**
 * Ends every process that works in `folder` and resolves with a line about each when they are gone. An embedded
 * PostgreSQL has a process group of its own, which no signal to the group of its server reaches.
 */
export async function endLeftovers(folder) {
  if (!existsSync(folder)) return [];
  const search = process.platform === "linux" ? inProc : inPostmasterFiles;
  const path = realpathSync(folder);
  const ended = new Map();
  const deadline = Date.now() + patienceSeconds * 1000;
  // One that was about to start another may have done so meanwhile, and one that is just starting shows no environment
  // for a moment: so the search goes on until it finds none twice.
  for (let quiet = 0; quiet < 2; ) {
    const found = search(path);
    quiet = found.size > 0 ? 0 : quiet + 1;
    for (const [pid, { line, isPostmaster }] of found) {
      // SIGQUIT lets PostgreSQL end its own processes and free its shared memory.
      const isPatient = isPostmaster && Date.now() < deadline;
      if (!ended.has(pid) || !isPatient) send(pid, isPatient ? "SIGQUIT" : "SIGKILL");
      ended.set(pid, `${line} (process ${pid})`);
    }
    if (Date.now() > deadline + patienceSeconds * 1000) break;
    await pause(50);
  }
  return [...ended.values()];
}

/** Linux shows the command line and the environment of each process: of PostgreSQL before it writes its file, too. */
function inProc(folder) {
  const found = new Map();
  for (const pid of readdirSync("/proc").map(Number)) {
    if (!(pid > 1) || pid === process.pid || !isAlive(pid)) continue;
    const words = read(`/proc/${pid}/cmdline`).split("\0");
    const settings = read(`/proc/${pid}/environ`).split("\0");
    const isPostmaster = words.some((word) => word.endsWith("/bin/postgres"));
    // A person may look into the folder with programs of their own, which have another TMPDIR.
    const isPostgres = isPostmaster || words.some((word) => word.endsWith("/bin/initdb"));
    const isOurs =
      (isPostgres && words.some((word) => word === folder || word.includes(`${folder}/`))) ||
      settings.some((setting) => `${setting}/`.startsWith(`TMPDIR=${folder}/`));
    if (isOurs) found.set(pid, { line: words.join(" ").trim().slice(0, 120), isPostmaster });
  }
  return found;
}

function inPostmasterFiles(folder) {
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

/** A process id from a file may belong to another program by now. */
function isPostgres(pid) {
  if (!(pid > 1) || !isAlive(pid)) return false;
  if (process.platform === "win32") return true;
  try {
    return execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).includes("postgres");
  } catch {
    return false;
  }
}

/** A zombie has ended: only its parent has not asked yet. */
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
    // It ended meanwhile.
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
