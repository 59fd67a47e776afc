import { type Connections, connect } from "#server/database/connections";
import { embeddedConnection, type Log } from "#server/database/embedded/embedded-postgres";
import { openDatabase } from "#server/database/open-database";
import { StartError } from "#server/start-error";

/** The name that the server gives to the connection which holds its lock. */
const serverIsThere = "select from pg_stat_activity where application_name = 'only server on these data'";

/** The operator asked for one thing, and hears only of that and of what goes wrong. */
const quiet: Log = { info() {}, warn() {}, error: (problem: unknown) => console.error(problem) };

/** The database of the settings: beside a running server, or, while none runs, with a PostgreSQL of its own. */
export async function openForCommand(settings: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Connections> {
  const beside = settings.databaseUrl === undefined ? await connectBeside(settings.dataDir) : undefined;
  return beside ?? openDatabase(settings, quiet);
}

/** Undefined if no server runs on these data; a PostgreSQL that outlived its server is for `openDatabase` to adopt. */
async function connectBeside(dataDir: string): Promise<Connections | undefined> {
  const connection = await embeddedConnection(dataDir).catch((error: unknown) => {
    // The directory is made at the first start.
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing || error instanceof StartError) return undefined;
    throw error;
  });
  if (!connection) return undefined;

  const connections = connect(connection, quiet);
  const { rowCount } = await connections.owner.query(serverIsThere).catch(() => ({ rowCount: 0 }));
  if (rowCount) return connections;
  await connections.close();
  return undefined;
}
