import { setTimeout as pause } from "node:timers/promises";
import type { BaseLogger } from "pino";
import { connectionTo } from "./embedded/address.ts";
import { openCluster } from "./embedded/cluster.ts";
import { takeLock } from "./embedded/lock.ts";
import { findPostmaster, shutDown } from "./embedded/postmaster.ts";
import { ensureRunning } from "./embedded/running.ts";

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
export async function startEmbedded({ dataDir, log }: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  const address = await ensureRunning(cluster);
  const connection = connectionTo(cluster, address);

  const stopping = new AbortController();
  let lock: Awaited<ReturnType<typeof takeLock>> | undefined = await takeLock(connection, dataDir);
  const watching = watch();

  async function watch() {
    while (lock) {
      // The lock's own connection tells us at once when PostgreSQL is gone, or has thrown everyone out after a crash.
      await lock.lost;
      lock = undefined;
      if (stopping.signal.aborted) return;
      log.warn("PostgreSQL closed its connections; making sure that it runs.");
      lock = await regain();
    }
  }

  async function regain() {
    while (!stopping.signal.aborted) {
      try {
        await ensureRunning(cluster, address);
        return await takeLock(connection, dataDir);
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
      // Without the lock, another server has taken over this PostgreSQL: it is not ours to stop.
      const postmaster = lock && (await findPostmaster(cluster));
      if (postmaster) await shutDown(cluster, postmaster);
      await watching;
    },
  };
}
