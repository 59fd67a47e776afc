import { type Connections, connect } from "#server/database/connections";
import { embeddedConnection, type Log } from "#server/database/embedded/embedded-postgres";
import { openDatabase } from "#server/database/open-database";
import { StartError } from "#server/start-error";

/** A running server has a connection with this name, which holds its lock. */
const findServer = "select from pg_stat_activity where application_name = 'only server on these data'";

/** A command prints its result and errors only. */
const quiet: Log = { info() {}, warn() {}, error: (problem: unknown) => console.error(problem) };

/** The database of the settings. With the embedded one it uses that of a running server, or else starts PostgreSQL. */
export async function openForCommand(settings: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Connections> {
  const running = settings.databaseUrl === undefined ? await connectToRunningServer(settings.dataDir) : undefined;
  return running ?? openDatabase(settings, quiet);
}

/** Undefined if no server runs on these data. `openDatabase` then adopts a PostgreSQL that outlived its server. */
async function connectToRunningServer(dataDir: string): Promise<Connections | undefined> {
  const connection = await embeddedConnection(dataDir).catch((error: unknown) => {
    // Before the first start there is no directory.
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
