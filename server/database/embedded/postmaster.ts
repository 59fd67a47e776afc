import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Address, settingsFor } from "./address.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";

/** The PostgreSQL server process that `postmaster.pid` speaks of. */
export interface Postmaster {
  pid: number;
  address: Address;
  /** Not yet ready for anyone, by its own word. */
  isStarting: boolean;
}

const logBytesMax = 10 * 1024 * 1024;

/**
 * Starts PostgreSQL and resolves with a promise of its end, and why (undefined: it was asked to stop, or killed). It gets
 * its own process group, so that Ctrl-C reaches only the server, which then finishes the requests it has promised to
 * answer.
 */
export async function launch(
  cluster: Cluster,
  programs: Binaries,
  address: Address,
): Promise<{ ended: Promise<string | undefined> }> {
  await rotateLog(cluster.log);
  const log = await open(cluster.log, "a", 0o600);
  const { size: offset } = await log.stat();
  try {
    const [program = "", ...options] = [
      ...programs.prefix,
      programs.postgres,
      ...["-D", cluster.data],
      ...[...settingsFor(address), ...discreetLog].flatMap((setting) => ["-c", setting]),
    ];
    const child = spawn(program, options, {
      ...programs.user,
      cwd: cluster.data,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.unref();
    const ended = once(child, "close").then(
      async ([code, signal]) => {
        // The log of a start that was killed tells of clients that came too early, and of no reason.
        const wasEnded = code === 0 || signal === "SIGKILL";
        return wasEnded ? undefined : lastFatal(await textAfter(cluster.log, offset));
      },
      (error: Error) => error.message,
    );
    return { ended };
  } finally {
    await log.close();
  }
}

/** The log belongs to the operator, not to the visitors: no statement, no value and no failing row goes into it. */
const discreetLog = ["log_error_verbosity=terse", "log_min_error_statement=panic", "log_checkpoints=off"];

/** The one that runs on these data, or undefined. A stale file whose process id now belongs to someone else is removed. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const file = join(cluster.data, "postmaster.pid");
  const [pid, , , port, socketDir, , , status] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  if (!pid) return undefined;
  if (await isPostgres(Number(pid))) {
    const address = socketDir ? { socketDir } : { port: Number(port) };
    return { pid: Number(pid), address, isStarting: status?.trim() === "starting" };
  }

  // PostgreSQL would only ask whether the process is alive; after a restart of a container it often is, as another
  // program. PostgreSQL still finds out by itself whether the old shared memory of this directory is in use.
  await rm(file, { force: true });
  return undefined;
}

/** How long PostgreSQL may take to end, in seconds: all of a server's stop has 10. */
const shutDownSeconds = { fast: 2, immediate: 1, killed: 0.5 };

/**
 * Ends PostgreSQL. A fast shutdown rolls back the transactions under way and writes all that was committed to the data
 * files; the others skip that, and lose nothing either: the next start replays the write-ahead log.
 */
export async function shutDown(cluster: Cluster, programs: Binaries, { pid }: Pick<Postmaster, "pid">): Promise<void> {
  if (process.platform === "win32") return shutDownWith(programs.pgCtl, cluster);

  send("SIGINT", pid);
  if (await hasEnded(pid, shutDownSeconds.fast)) return;
  send("SIGQUIT", pid);
  if (await hasEnded(pid, shutDownSeconds.immediate)) return;
  // Its other processes end when they notice that this one is gone.
  send("SIGKILL", pid);
  await hasEnded(pid, shutDownSeconds.killed);
}

async function shutDownWith(pgCtl: string, { data }: Cluster): Promise<void> {
  const stop = (mode: "fast" | "immediate") =>
    promisify(execFile)(pgCtl, ["stop", "-D", data, "-m", mode, "-w", "-t", `${shutDownSeconds[mode]}`]);
  await stop("fast").catch(() => stop("immediate"));
}

/** It may have ended by itself a moment ago. */
function send(signal: NodeJS.Signals, pid: number) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function hasEnded(pid: number, patienceSeconds: number): Promise<boolean> {
  const deadline = Date.now() + patienceSeconds * 1000;
  while (await isPostgres(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((wake) => setTimeout(wake, 10));
  }
  return true;
}

/** Whether this process lives and, where the system tells us, is a PostgreSQL and no zombie. */
async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")) ?? [];
  return state !== undefined && state !== "Z" && state !== "X" && (name === "postgres" || name === "unshare");
}

async function rotateLog(log: string): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logBytesMax) await rename(log, `${log}.old`);
}

/** Empty if the operator has removed the log: nothing else depends on it. */
async function textAfter(log: string, offset: number): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  return bytes.subarray(offset).toString();
}

function lastFatal(text: string): string {
  const lines = text.trim().split("\n");
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? "it said nothing";
}
