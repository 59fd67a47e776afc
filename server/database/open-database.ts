import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseError } from "pg";
import { StartError } from "#server/start-error";
import { type Connections, connect } from "./connections.ts";
import { type Log, startEmbedded } from "./embedded/embedded-postgres.ts";
import { type MigrateOptions, migrate } from "./migrations.ts";

/** How long a stop waits for the connections to end. */
const closeSecondsMax = 0.5;

/** PostgreSQL's code for a right that a user does not have. */
const insufficientPrivilege = "42501";

/**
 * Opens and migrates the database of the settings. With `databaseUrl` it is an operator's own database, which several
 * servers may share. Otherwise it is the embedded PostgreSQL in `dataDir`, which `close` stops.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  log: Log,
  options: MigrateOptions = {},
): Promise<Connections> {
  if (databaseUrl !== undefined) {
    const connections = connect(databaseUrl, log);
    await connections.owner.query("select").catch(async (error: Error) => {
      await connections.close();
      throw new StartError(`The PostgreSQL of DATABASE_URL cannot be used: ${error.message || error}`, error);
    });
    return migrateOrClose(connections, log, options);
  }

  const embedded = await startEmbedded({ dataDir, log });
  const connections = connect(embedded.connection, log);
  async function closeBoth() {
    // The wait is short, because PostgreSQL ends the connections in use when it stops.
    await Promise.race([connections.close(), pause(closeSecondsMax * 1000, undefined, { ref: false })]);
    await embedded.stop();
  }
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeBoth();
    return closing;
  };
  return migrateOrClose({ ...connections, close }, log, options);
}

async function migrateOrClose(connections: Connections, log: Log, options: MigrateOptions): Promise<Connections> {
  try {
    await migrate(connections.owner, log, options);
    return connections;
  } catch (error) {
    await connections.close();
    const { code, message } = error as DatabaseError;
    if (code === insufficientPrivilege) {
      throw new StartError(
        `The user of DATABASE_URL must own the database and be allowed to create roles: ${message}.`,
        error,
      );
    }
    throw error;
  }
}
