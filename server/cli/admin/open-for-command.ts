import { type Connections, connect } from "#server/database/connections";
import { embeddedConnection, type Log } from "#server/database/embedded/embedded-postgres";
import { openDatabase } from "#server/database/open-database";
import { StartError } from "#server/start-error";

/** Finds a running server: each server holds its lock on a database connection that has this application name. */
const findServer = "select from pg_stat_activity where application_name = 'only server on these data'";

/** Logs errors only: a command prints nothing but its result and errors. */
const quiet: Log = { info() {}, warn() {}, error: (problem: unknown) => console.error(problem) };

/**
 * Opens the database that the settings name. If it is the embedded one, connects to the PostgreSQL of the running
 * server. If no server runs, starts PostgreSQL.
 */
export async function openForCommand(settings: {
  databaseUrl: string | undefined;
  dataDir: string;
  hostedUrl: string | undefined;
}): Promise<Connections> {
  if (settings.hostedUrl !== undefined && settings.databaseUrl === undefined) {
    throw new StartError(
      `The project at ${settings.hostedUrl} has the accounts. Set DATABASE_URL to the address of its database for this command.`,
    );
  }
  const running = settings.databaseUrl === undefined ? await connectToRunningServer(settings.dataDir) : undefined;
  return running ?? openDatabase(settings, quiet);
}

/**
 * Returns undefined if no server uses this data folder. In that case `openDatabase` starts PostgreSQL, or uses a
 * PostgreSQL that is still running after its server died.
 */
async function connectToRunningServer(dataDir: string): Promise<Connections | undefined> {
  const connection = await embeddedConnection(dataDir).catch((error: unknown) => {
    // The data folder does not exist before the server's first start.
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing || error instanceof StartError) return undefined;
    throw error;
  });
  if (!connection) return undefined;

  const connections = connect(connection, quiet);
  const { rowCount } = await connections.owner.query(findServer).catch(() => ({ rowCount: 0 }));
  if (rowCount) return connections;
  await connections.close();
  return undefined;
}
