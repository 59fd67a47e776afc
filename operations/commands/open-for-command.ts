import type { DatabaseError, Pool } from "pg";
import { describeConnection } from "#backend/database/client";
import type { Log } from "#backend/database/embedded/embedded-postgres";
import type { MigrateOptions } from "#backend/database/migrate";
import { readMigrationState } from "#backend/database/migrations";
import type { OpenDatabase } from "#backend/database/open-database";
import { printError } from "#process/print";
import { type Shutdown, stopDeadlineSeconds } from "#process/shutdown";
import { StartError } from "#process/start-error";
import { openDatabase } from "#server/database";
import type { Settings } from "#server/settings";

/** The settings that say which database a command works on. */
export type DatabaseSettings = Pick<Settings, "databaseUrl" | "dataDir" | "hostedUrl">;

/** Logs errors only: a command prints nothing but its result and errors. */
const quiet: Log = { info() {}, warn() {}, error: printError };

/** The database of the settings in words, without its password. Throws a `StartError` if no database is named. */
export function nameDatabase({ databaseUrl, dataDir, hostedUrl }: DatabaseSettings): string {
  if (databaseUrl !== undefined) return describeConnection(databaseUrl);
  if (hostedUrl === undefined) return `the embedded PostgreSQL in ${dataDir}`;
  throw new StartError(
    `The project at ${hostedUrl} has the accounts. Set DATABASE_URL to the address of its database for this command.`,
  );
}

/**
 * Refuses the database of a hosted Supabase project: the project could not read the accounts that this server would
 * write there.
 */
export async function requireOwnAccounts(owner: Pool) {
  if (!(await readMigrationState(owner)).isHosted) return;
  throw new StartError("These accounts belong to a hosted project: use its dashboard for that.");
}

/** Opens the database that the settings name, and closes it after `work`. An interrupted command stops a PostgreSQL that it started. */
export async function withDatabase<T>(
  settings: DatabaseSettings,
  shutdown: Shutdown,
  options: MigrateOptions & { mustExist?: boolean },
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const opening = openDatabase(settings, quiet, { ...options, as: "command" });
  const stop = async () => {
    // An opening that was interrupted has nothing to stop.
    const database = await opening.catch(() => undefined);
    if (database?.isServed === false) await database.close();
  };
  if (settings.databaseUrl === undefined)
    shutdown.add({ name: "PostgreSQL", deadlineSeconds: stopDeadlineSeconds.database, close: stop });
  const database = await opening;
  try {
    return await work(database);
  } catch (error) {
    const { code = "", message } = error as DatabaseError;
    // A schema, table, column or function that a migration makes.
    if (options.only !== "none" || !["3F000", "42P01", "42703", "42883"].includes(code)) throw error;
    throw new StartError(
      `The database is older than this code (${message}). Start this version of the site first, or use the version that belongs to the database.`,
    );
  } finally {
    await database.close();
  }
}
