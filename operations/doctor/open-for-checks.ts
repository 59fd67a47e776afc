import { constants } from "node:fs";
import { cp, lstat, mkdtemp, readdir, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chooseCallerLogin } from "#backend/database/caller-login";
import { type Connections, connect } from "#backend/database/connections";
import { describeConnectionError } from "#backend/database/database-url";
import { findCluster } from "#backend/database/embedded/cluster";
import { type Log, runningConnection, startEmbedded } from "#backend/database/embedded/embedded-postgres";
import { openDatabase } from "#backend/database/open-database";
import { describeNetworkError } from "#backend/http/network-error";
import { StartError } from "#process/start-error";

export interface CheckedDatabase extends Connections {
  /** Whether no PostgreSQL ran, so that this is a copy of its data. */
  isCopy: boolean;
}

/** Nothing is logged: the doctor's findings are its output. */
const quiet: Log = { info() {}, warn() {}, error() {} };

/**
 * Connects to the database without changing it: no migration, no role, no data folder. An embedded PostgreSQL that does
 * not run is started on a copy, because PostgreSQL writes into its files when it starts and stops.
 */
export async function openForChecks(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  stop?: AbortSignal,
): Promise<CheckedDatabase> {
  const address = databaseUrl ?? (await runningConnection(dataDir));
  if (address === undefined) return openCopy(dataDir, stop);
  const connections = connect(address, quiet, { mayBeStandby: true });
  try {
    // Connects once, so that a database that does not answer is one problem of all checks.
    await chooseCallerLogin(connections);
    return { ...connections, isCopy: false };
  } catch (error) {
    await connections.close();
    const reason = describeNetworkError((error as NodeJS.ErrnoException).code) ?? describeConnectionError(error);
    throw new StartError(reason, error);
  }
}

async function openCopy(dataDir: string, stop?: AbortSignal): Promise<CheckedDatabase> {
  const cluster = findCluster(dataDir);
  if (!cluster) throw new StartError(`There is no database in ${dataDir}.`);
  await removeLeftCopies().catch(() => {});
  const folder = await mkdtemp(join(tmpdir(), `doctor-${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await copyData(cluster.data, folder, stop);
    const { close: stopPostgres, ...connections } = await openDatabase({ dataDir: folder }, quiet, { only: "none" });
    const close = () => stopPostgres().finally(remove);
    return { ...connections, close, isCopy: true };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Removes what doctors that were killed have left: a copy of all data, and the PostgreSQL that runs on it. Only in folders
 * of this user, because others could name any process in `postmaster.pid`.
 */
async function removeLeftCopies() {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name);
    const [, pid] = /^doctor-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid)) || !(await isOwnFolder(folder))) continue;
    if (await runningConnection(folder)) await (await startEmbedded({ dataDir: folder, log: quiet })).stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function copyData(data: string, folder: string, stop?: AbortSignal) {
  const bytes = await bytesIn(data);
  const { bavail, bsize } = await statfs(folder);
  if (bytes * 1.2 > bavail * bsize) {
    throw new StartError(
      `No server is running on ${data}, and ${tmpdir()} has no room for a copy to look at: start the site first.`,
    );
  }
  await cp(data, join(folder, "postgres"), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter(file) {
      stop?.throwIfAborted();
      // What a PostgreSQL that was killed leaves: its number, and a socket, which cannot be copied.
      return !/^(postmaster\.pid|\.s\.PGSQL\..*)$/.test(basename(file));
    },
  });
}

async function bytesIn(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((total, { size }) => total + size, 0);
}
