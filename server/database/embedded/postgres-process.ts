import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Address, settingsFor } from "./address.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { lastError } from "./last-error.ts";

/** The main process of PostgreSQL, as `postmaster.pid` names it. */
export interface Postmaster {
  pid: number;
  address: Address;
  /** Whether PostgreSQL is still starting and not yet ready for connections. */
  isStarting: boolean;
}

const logBytesMax = 10 * 1024 * 1024;

/**
 * Starts PostgreSQL. `ended` resolves when PostgreSQL ends: with the error message, or with undefined after a stop or a
 * kill. PostgreSQL gets a process group of its own, so that Ctrl-C reaches the server only, which then finishes its
 * requests.
 */
export async function launch(
  cluster: Cluster,
  binaries: Binaries,
  address: Address,
): Promise<{ ended: Promise<string | undefined> }> {
  await rotateLog(cluster.log);
  const log = await open(cluster.log, "a", 0o600);
  const { size: offset } = await log.stat();
  try {
    const [program = "", ...options] = [
      ...binaries.prefix,
      binaries.postgres,
      ...["-D", cluster.data],
      ...[...settingsFor(address), ...logSettings, ...processSettings].flatMap((setting) => ["-c", setting]),
    ];
    const child = spawn(program, options, {
      ...binaries.user,
      cwd: cluster.data,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.unref();
    const ended = once(child, "close").then(
      async ([code, signal]) => {
        // After a kill the log holds no reason for the end, only the connections that were refused during the start.
        const wasStopped = code === 0 || signal === "SIGKILL";
        return wasStopped ? undefined : lastError(await textAfter(cluster.log, offset));
      },
      (error: Error) => error.message,
    );
    return { ended };
  } finally {
    await log.close();
  }
}

/**
 * Keeps statements, values and failing rows out of the log, because they hold data of visitors. An error of a statement
 * is not logged at all: its message may quote a value, and our server has it. The level `log` comes after `error`.
 */
const logSettings = [
  ...["log_min_messages=log", "log_error_verbosity=terse", "log_min_error_statement=panic", "log_checkpoints=off"],
];

/** Without processes that a small database does not need: two of three that read ahead, and that of replication. */
const processSettings = ["io_workers=1", "max_logical_replication_workers=0"];

/**
 * Finds the running PostgreSQL of the cluster. Removes `postmaster.pid` if its process is gone or is another program.
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const found = await readPostmaster(cluster);
  if (found !== "stale") return found;

  // The stale file would block a start: PostgreSQL only checks whether a process with this id is alive, and after a
  // restart of a container another program often has the id. Removing the file is safe, because PostgreSQL also checks
  // whether the old shared memory of this directory is in use.
  await rm(pidFile(cluster), { force: true });
  return undefined;
}

/** Does the same as `findPostmaster`, but changes nothing: it returns "stale" for a file whose process is gone. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | "stale" | undefined> {
  const text = await readFile(pidFile(cluster), "utf8").catch(() => "");
  const [pid, , , port, socketDir, , , status] = text.split("\n");
  if (!pid) return undefined;
  if (!(await isPostgres(Number(pid)))) return "stale";
  const address = socketDir ? { socketDir } : { port: Number(port) };
  return { pid: Number(pid), address, isStarting: status?.trim() === "starting" };
}

function pidFile({ data }: Cluster): string {
  return join(data, "postmaster.pid");
}

/** Time limits in seconds for the three ways to end PostgreSQL. The stop of the whole server may take 10 seconds. */
const shutDownSeconds = { fast: 2, immediate: 1, killed: 0.5 };

/**
 * Stops PostgreSQL. A fast shutdown rolls back running transactions and writes all commits to the data files. An
 * immediate shutdown and a kill do not, but lose nothing either: the next start replays the write-ahead log.
 */
export async function shutDown(cluster: Cluster, binaries: Binaries, { pid }: Pick<Postmaster, "pid">): Promise<void> {
  if (process.platform === "win32") return shutDownWith(binaries.pgCtl, cluster);

  send("SIGINT", pid);
  if (await hasEnded(pid, shutDownSeconds.fast)) return;
  send("SIGQUIT", pid);
  if (await hasEnded(pid, shutDownSeconds.immediate)) return;
  // The other processes of PostgreSQL notice that this one, their parent, is gone, and end.
  send("SIGKILL", pid);
  await hasEnded(pid, shutDownSeconds.killed);
}

async function shutDownWith(pgCtl: string, { data }: Cluster): Promise<void> {
  const stop = (mode: "fast" | "immediate") =>
    promisify(execFile)(pgCtl, ["stop", "-D", data, "-m", mode, "-w", "-t", `${shutDownSeconds[mode]}`]);
  await stop("fast").catch(() => stop("immediate"));
}

/** Sends a signal to a process that may have ended already. */
function send(signal: NodeJS.Signals, pid: number) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function hasEnded(pid: number, secondsMax: number): Promise<boolean> {
  const deadline = Date.now() + secondsMax * 1000;
  while (await isPostgres(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/**
 * Whether this process is alive, a PostgreSQL and not a zombie. On Windows any process counts: `pg_ctl` ends only a
 * PostgreSQL, since its signal is a message to a pipe that no other program has.
 */
async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform === "win32") return true;
  if (process.platform !== "linux") return (await macProgram(pid)) === "postgres";
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")) ?? [];
  return state !== undefined && state !== "Z" && state !== "X" && (name === "postgres" || name === "unshare");
}

/** The name of a zombie is in brackets. */
async function macProgram(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "comm=", "-p", `${pid}`]).catch((error) => {
    // There is no such process any more.
    if (error.code === 1) return { stdout: "" };
    throw error;
  });
  return basename(stdout.trim());
}

async function rotateLog(log: string): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logBytesMax) await rename(log, `${log}.old`);
}

/** The text of the log from `offset` on; empty if the operator has removed the log. */
async function textAfter(log: string, offset: number): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  return bytes.subarray(offset).toString();
}
