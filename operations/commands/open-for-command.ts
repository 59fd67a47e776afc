import type { ClientBase, DatabaseError, Pool } from "pg";
import { describeConnection } from "#backend/database/client";
import { type Connections, connect } from "#backend/database/connections";
import { hasEmbeddedData, type Log, runningConnection } from "#backend/database/embedded/embedded-postgres";
import { isHeldBy } from "#backend/database/embedded/server-lock";
import type { MigrateOptions } from "#backend/database/migrations";
import { openDatabase } from "#backend/database/open-database";
import { printError } from "#process/print";
import { type Shutdown, stopDeadlineSeconds } from "#process/shutdown";
import { StartError } from "#process/start-error";
import type { Settings } from "#server/settings";
import { CommandError } from "./report-problem.ts";

/** The settings that say which database a command works on. */
export type DatabaseSettings = Pick<Settings, "databaseUrl" | "dataDir" | "hostedUrl">;

export interface CommandDatabase extends Connections {
  /**
   * False if the command itself started the embedded PostgreSQL, so that no site answers from it. With DATABASE_URL it
   * is true, because a server elsewhere may use the same database.
   */
  isServed: boolean;
}

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
 * Refuses a data folder without a database, and an empty database. Otherwise a command in another shell, which does not
 * have the server's settings, would make a second database that goes unnoticed.
 */
export async function requireDatabase({ databaseUrl, dataDir }: DatabaseSettings): Promise<void> {
  const hasSite = databaseUrl === undefined ? hasEmbeddedData(dataDir) : await hasTables(databaseUrl);
  if (hasSite) return;
  const place = databaseUrl === undefined ? dataDir : describeConnection(databaseUrl);
  throw new CommandError(
    `There is no site database in ${place}: npm start makes one. If the site uses another, name it in DATA_DIR or DATABASE_URL, or in the file of ENV_FILE.`,
  );
}

/** True for a hosted project too, and for a database that cannot be asked: `openForCommand` tells why. */
async function hasTables(databaseUrl: string): Promise<boolean> {
  const { owner, close } = connect(databaseUrl, quiet);
  try {
    const tables = "select to_regclass('public.contacts') is not null or to_regnamespace('auth') is not null as found";
    return (await owner.query(tables)).rows[0].found;
  } catch {
    return true;
  } finally {
    await close();
  }
}

/**
 * Refuses the database of a hosted Supabase project: the project could not read the accounts that this server would
 * write there.
 */
export async function requireOwnAccounts(owner: Pool) {
  if (await hasOwnAccounts(owner)) return;
  throw new CommandError("These accounts belong to a hosted project: use its dashboard for that.");
}

/** Whether this server's auth API reads the accounts of the database, and not a hosted Supabase project. */
export async function hasOwnAccounts(db: Pick<Pool | ClientBase, "query">): Promise<boolean> {
  const { rows } = await db.query("select to_regclass('auth.signing_keys') is not null as ours");
  return rows[0].ours;
}

/**
 * Opens the database that the settings name, and closes it after `work`. If it is the embedded one, connects to the
 * PostgreSQL of the running server. If no server runs, starts PostgreSQL, and creates its data if there are none
 * (`requireDatabase` refuses that). `options` say how the database is migrated, unless a running server of this machine
 * has done so.
 */
export async function withDatabase<T>(
  settings: DatabaseSettings,
  shutdown: Shutdown,
  options: MigrateOptions,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  const database = await openForCommand(settings, shutdown, options);
  try {
    return await work(database);
  } catch (error) {
    const { code = "", message } = error as DatabaseError;
    // A schema, table, column or function that a migration makes.
    if (options.only !== "none" || !["3F000", "42P01", "42703", "42883"].includes(code)) throw error;
    throw new CommandError(
      `The database is older than this code (${message}). Start this version of the site first, or use the version that belongs to the database.`,
    );
  } finally {
    await database.close();
  }
}

async function openForCommand(
  settings: DatabaseSettings,
  shutdown: Shutdown,
  options: MigrateOptions,
): Promise<CommandDatabase> {
  const running = settings.databaseUrl === undefined && (await connectToRunningServer(settings.dataDir));
  if (running) return { ...running, isServed: true };
  const opening = openDatabase(settings, quiet, { ...options, as: "command" });
  const isServed = settings.databaseUrl !== undefined;
  // An opening that was interrupted has nothing to close.
  const close = async () => (await opening.catch(() => undefined))?.close();
  if (!isServed) shutdown.add({ name: "PostgreSQL", deadlineSeconds: stopDeadlineSeconds.database, close });
  return { ...(await opening), isServed };
}

/**
 * Returns undefined if no server uses this data folder. In that case `openDatabase` starts PostgreSQL, or uses a
 * PostgreSQL that is still running after its server died.
 */
async function connectToRunningServer(dataDir: string): Promise<Connections | undefined> {
  const connection = await runningConnection(dataDir);
  if (!connection) return undefined;
  const connections = connect(connection, quiet);
  if (await isHeldBy("server", connections.owner).catch(() => false)) return connections;
  await connections.close();
  return undefined;
}
