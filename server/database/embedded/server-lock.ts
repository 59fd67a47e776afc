import { setTimeout as pause } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { StartError } from "#server/start-error";
import { advisoryLocks } from "../advisory-locks.ts";
import { Client } from "../client.ts";

/** Held as long as the connection lives, so that nothing is left to clean up after a kill. */
export interface ServerLock {
  /** Resolves when PostgreSQL ends the connection, and the lock with it. */
  lost: Promise<void>;
}

/** PostgreSQL needs a moment to notice that a killed server is gone. */
const patienceSeconds = 2;

/** Makes this server the only one on these data, or throws a `StartError`. */
export async function takeServerLock(connection: ClientConfig, dataDir: string): Promise<ServerLock> {
  const client = new Client({ ...connection, application_name: "only server on these data" });
  const lost = new Promise<void>((end) => client.once("end", () => end()));
  try {
    await client.connect();
    const deadline = Date.now() + patienceSeconds * 1000;
    for (;;) {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [advisoryLocks.onlyServer]);
      if (rows[0].taken) return { lost };
      if (Date.now() > deadline) break;
      await pause(50);
    }
    throw new StartError(`Another copy of this site already runs on ${dataDir}.`);
  } catch (error) {
    // A connection that is left open might hold the lock against this server's own next attempt.
    await client.end().catch(() => {});
    throw error;
  }
}
