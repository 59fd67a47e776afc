import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, ClientConfig, Pool } from "pg";
import { StartError } from "#server/start-error";
import { advisoryLocks } from "../advisory-locks.ts";
import { Client } from "../client.ts";

/** A lock that ends with its database connection, so that a killed server leaves no lock behind. */
export interface ServerLock {
  /** Resolves when PostgreSQL ends the connection, and the lock with it. */
  lost: Promise<void>;
}

/** A command holds the lock while it works on data that no server uses. */
export type LockHolder = "server" | "command";

/** How long to wait for the lock. If the server that held it was killed, PostgreSQL needs a moment to notice this. */
const waitSecondsMax = 2;

/** Locks the data for this process; throws a `StartError` if another one has the lock. */
export async function takeServerLock(
  connection: ClientConfig,
  dataDir: string,
  as: LockHolder = "server",
): Promise<ServerLock> {
  const client = new Client({ ...connection, application_name: applicationName(as) });
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await client.connect();
    const deadline = Date.now() + waitSecondsMax * 1000;
    for (;;) {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [advisoryLocks.onlyServer]);
      if (rows[0].taken) return { lost };
      if (Date.now() > deadline) break;
      await pause(50);
    }
    throw new StartError(
      (await isHeldBy("command", client))
        ? `A command is working on ${dataDir}: try again when it has ended.`
        : `Another copy of this site is already running on ${dataDir}.`,
    );
  } catch (error) {
    // An open connection could hold the lock and make this server's next attempt fail.
    await client.end().catch(() => {});
    throw error;
  }
}

export async function isHeldBy(holder: LockHolder, db: Pick<Pool | ClientBase, "query">): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objid = $1 and application_name = $2`,
    [advisoryLocks.onlyServer, applicationName(holder)],
  );
  return rowCount !== 0;
}

const applicationName = (holder: LockHolder) => `only ${holder} on these data`;
