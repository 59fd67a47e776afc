import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { basename, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { StartError } from "#process/start-error";
import { type Address, chooseAddress } from "./address.ts";
import { type Binaries, binariesIn, findPackage } from "./binaries.ts";
import { type Cluster, lastError } from "./cluster.ts";
import { serverOptions } from "./postgres-options.ts";

/** The main process of PostgreSQL, as `postmaster.pid` names it. */
export interface Postmaster {
  /** Undefined if it runs out of sight, as in another container: only its own side can end it. */
  pid: number | undefined;
  address: Address;
  /** Whether it takes connections: it is neither starting nor stopping. */
  isReady: boolean;
}

/** Errors that go away by themselves: a killed PostgreSQL left something behind, or another start is under way. */
const transientErrors =
  /pre-existing shared memory block|lock file .* (already exists|is empty)|could not create any TCP\/IP/i;

/**
 * Starts PostgreSQL unless it runs already, and resolves with its address once it is up. Nothing on the way to the start
 * waits for the event loop, which is blocked for a while by the import of the rest of the server.
 */
export async function ensureRunning(cluster: Cluster, binaries: Binaries, address?: Address): Promise<Address> {
  const deadline = performance.now() + startSecondsMax * 1000;
  let launching = false;
  let startError: string | undefined;

  while (performance.now() < deadline) {
    const found = await findPostmaster(cluster, { removesStale: true });
    if (found?.isReady) return found.address;
    if (startError && !transientErrors.test(startError)) break;
    if (!found && !launching) {
      launching = true;
      address ??= await chooseAddress(cluster);
      launch(cluster, binaries, address).then(async (reason) => {
        // An error of the removal is ignored: if the file stays, the next start fails with the same message.
        await removeEmptyLock(cluster, reason ?? "").catch(() => {});
        startError = reason;
        launching = false;
      });
    }
    await pause(20);
  }
  throw new StartError(`PostgreSQL does not start: ${startError ?? "it is not ready"} (its log: ${cluster.log})`);
}

export const startSecondsMax = 60;

/** A start writes into its lock file at once. If it or the machine ends before, the empty file blocks every later start. */
const emptyLockSeconds = 1;

async function removeEmptyLock(cluster: Cluster, message: string): Promise<void> {
  const [, name] = /lock file "(.+)" is empty/.exec(message) ?? [];
  if (!name) return;
  const file = resolve(cluster.data, name);
  const found = await stat(file).catch(() => undefined);
  const isStale = found?.size === 0 && Date.now() - found.mtimeMs > emptyLockSeconds * 1000;
  if (isStale) await rm(file, { force: true });
}

const logBytesMax = 10 * 1024 * 1024;

/**
 * Resolves when PostgreSQL ends: with the error message, or with undefined after a stop or a kill. PostgreSQL gets a
 * process group of its own, so that Ctrl-C reaches the server only, which then finishes its requests. On Windows it does not
 * run with an administrator's rights, which pg_ctl drops; pg_ctl ends after the start.
 */
function launch(cluster: Cluster, binaries: Binaries, address: Address): Promise<string | undefined> {
  rotateLog(cluster.log);
  const log = openSync(cluster.log, "a", 0o600);
  const { size: offset } = fstatSync(log);
  try {
    const isWindows = process.platform === "win32";
    const settings = serverOptions(address);
    const [program = "", ...options] = isWindows
      ? [binaries.pgCtl, "start", "-w", "-D", cluster.data, "-l", cluster.log, "-o", settings.join(" ")]
      : [...binaries.prefix, binaries.postgres, "-D", cluster.data, ...settings];
    const child = spawn(program, options, {
      ...binaries.user,
      cwd: cluster.data,
      detached: !isWindows,
      windowsHide: true,
      stdio: isWindows ? "ignore" : ["ignore", log, log],
    });
    child.unref();
    if (!isWindows) endWithThisProcess(child);
    return once(child, "close").then(
      async ([code, signal]) => {
        // After a kill the log holds no reason for the end, only the connections that were refused during the start.
        const wasStopped = code === 0 || signal === "SIGKILL";
        return wasStopped ? undefined : lastError(await textAfter(cluster.log, offset));
      },
      (error: Error) => error.message,
    );
  } finally {
    closeSync(log);
  }
}

/**
 * After SIGKILL or a crash of this process nothing would end PostgreSQL, unless the site is started again. The system
 * closes the pipe to this shell, which then stops PostgreSQL in order.
 */
function endWithThisProcess(postgres: ChildProcess) {
  const shell = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', `${postgres.pid}`], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", () => {}).unref();
  postgres.once("exit", () => shell.kill("SIGKILL"));
}

/**
 * Finds the running PostgreSQL of the cluster. A start removes a `postmaster.pid` whose process is gone or is another
 * program, and the lock of the socket. They would block it, because PostgreSQL only checks whether a process with this id is
 * alive, and after a restart of a container another program often has the id. PostgreSQL also checks whether the old shared
 * memory of this directory is in use, but not across containers: what answers at the socket is never removed. On Windows
 * PostgreSQL replaces the file itself.
 */
export async function findPostmaster(
  { data }: Cluster,
  { removesStale = false } = {},
): Promise<Postmaster | undefined> {
  const file = join(data, "postmaster.pid");
  const text = readText(file);
  const [pid, , , port, socketDir, , , status] = text.split("\n");
  if (!pid) return undefined;
  const isWindows = process.platform === "win32";
  const isReady = status?.trim() === "ready";
  if (await (isWindows ? pgCtlFinds(data) : isPostgres(Number(pid), data))) {
    const address = { host: socketDir || "127.0.0.1", port: Number(port) };
    return { pid: Number(pid), address, isReady };
  }
  // The processes of another container, or of another user beside systemd's ProtectProc=, are hidden; the socket is not.
  if (!isWindows && (await answers(join(data, ".s.PGSQL.5432"))))
    return { pid: undefined, address: await chooseAddress({ data }), isReady };
  if (removesStale && !isWindows)
    for (const stale of [file, join(data, ".s.PGSQL.5432.lock")]) await rm(stale, { force: true });
  return undefined;
}

/** Whether a program listens at the socket. Only these errors prove that none does. */
async function answers(socket: string): Promise<boolean> {
  const connection = connect(socket);
  try {
    await once(connection, "connect");
    return true;
  } catch (error) {
    return !["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    connection.on("error", () => {}).destroy();
  }
}

/**
 * Whether PostgreSQL runs on these data. On Windows `pg_ctl` and PostgreSQL itself ask the process in `postmaster.pid`
 * through a pipe that no other program has, so a reused process id deceives neither.
 */
async function pgCtlFinds(data: string): Promise<boolean> {
  const { pgCtl } = binariesIn(findPackage());
  return promisify(execFile)(pgCtl, ["status", "-D", data], { windowsHide: true }).then(
    () => true,
    ({ code }) => code !== pgCtlNotRunning,
  );
}

const pgCtlNotRunning = 3;

/** The ways to end PostgreSQL, with their time limits in seconds. The stop of the whole server may take 10 seconds. */
const shutDownSeconds = { SIGINT: 2, SIGQUIT: 1, SIGKILL: 0.5 } as const;

/**
 * Stops PostgreSQL. A fast shutdown (SIGINT) rolls back running transactions and writes all commits to the data files. An
 * immediate one (SIGQUIT) and a kill, which its other processes notice, do not, but lose nothing either: the next start
 * replays the write-ahead log.
 */
export async function shutDown(cluster: Cluster, binaries: Binaries, pid: number): Promise<void> {
  if (process.platform === "win32") return shutDownWith(binaries.pgCtl, cluster, pid);
  for (const [signal, secondsMax] of Object.entries(shutDownSeconds)) {
    send(signal as NodeJS.Signals, pid);
    if (await hasEnded(pid, cluster.data, secondsMax)) return;
  }
}

/** A crash, which the kill is, loses nothing either. */
async function shutDownWith(pgCtl: string, { data }: Cluster, pid: number): Promise<void> {
  const stop = ["stop", "-D", data, "-m", "fast", "-w", "-t", `${shutDownSeconds.SIGINT}`];
  await promisify(execFile)(pgCtl, stop, { windowsHide: true }).catch(() => send("SIGKILL", pid));
}

/** The process may have ended already. */
function send(signal: NodeJS.Signals, pid: number) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function hasEnded(pid: number, data: string, secondsMax: number): Promise<boolean> {
  const deadline = performance.now() + secondsMax * 1000;
  while (await isPostgres(pid, data)) {
    if (performance.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** Whether this process is alive, the PostgreSQL of these data and not a zombie. Not for Windows. */
async function isPostgres(pid: number, data: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return (await macProgram(pid)) === "postgres";
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(readText(`/proc/${pid}/stat`)) ?? [];
  if (state === undefined || state === "Z" || state === "X") return false;
  return (name === "postgres" || name === "unshare") && worksIn(data, pid);
}

/** PostgreSQL works in its data directory. True also if the system does not show where the process works. */
function worksIn(data: string, pid: number): boolean {
  try {
    const [found, expected] = [statSync(`/proc/${pid}/cwd`), statSync(data)];
    return found.ino === expected.ino && found.dev === expected.dev;
  } catch {
    return true;
  }
}

/** The name of a zombie is in brackets. */
async function macProgram(pid: number): Promise<string> {
  // It fails if there is no such process.
  const { stdout } = await promisify(execFile)("ps", ["-o", "comm=", "-p", `${pid}`]).catch(() => ({ stdout: "" }));
  return basename(stdout.trim());
}

function rotateLog(log: string) {
  const found = statSync(log, { throwIfNoEntry: false });
  if (found && found.size > logBytesMax) renameSync(log, `${log}.old`);
}

/** The text of a file; empty if there is none. */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The text of the log from `offset` on; empty if the operator has removed the log. */
async function textAfter(log: string, offset: number): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  return bytes.subarray(offset).toString();
}
