import type { ClientBase, ClientConfig, Pool } from "pg";
import { StartError } from "#process/start-error";
import { advisoryLocks } from "../advisory-locks.ts";
import { Client } from "../client.ts";

/** A lock of a connection ends with it, so a killed server leaves none behind. */
export interface ServerLock {
  /** Resolves when PostgreSQL ends the connection, and the lock with it. */
  lost: Promise<void>;
}

/** A command holds the lock while it works on data that no server uses. */
export type LockHolder = "server" | "command";

/** If the server that held it was killed, PostgreSQL needs a moment to notice this. */
const waitSecondsMax = 2;

/** Locks the data for this process; throws a `StartError` if another one has the lock. */
export async function takeServerLock(
  connection: ClientConfig,
  dataDir: string,
  as: LockHolder = "server",
): Promise<ServerLock> {
  const client = new Client({
    ...{ ...connection, application_name: applicationName(as), connectionTimeoutMillis: 2000 },
  });
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await client.connect();
    await client.query(`set lock_timeout = '${waitSecondsMax}s'`);
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.onlyServer]);
    return { lost };
  } catch (error) {
    const isTaken = (error as { code?: string }).code === lockNotAvailable;
    const isCommand = isTaken && (await isHeldBy("command", client).catch(() => false));
    // An open connection could hold the lock and make this server's next attempt fail.
    await client.end().catch(() => {});
    if (!isTaken) throw error;
    throw new StartError(
      isCommand
        ? `A command is working on ${dataDir}: try again when it has ended.`
        : `Another copy of this site is already running on ${dataDir}.`,
    );
  }
}

const lockNotAvailable = "55P03";

export async function isHeldBy(holder: LockHolder, db: Pick<Pool | ClientBase, "query">): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objid = $1 and application_name = $2`,
    [advisoryLocks.onlyServer, applicationName(holder)],
  );
  return rowCount !== 0;
}

const applicationName = (holder: LockHolder) => `only ${holder} on these data`;
