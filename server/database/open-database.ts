import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseError } from "pg";
import { StartError } from "#server/start-error";
import { type Connections, chooseCallerLogin, connect } from "./connections.ts";
import { describeConnectionError } from "./database-url.ts";
import { type Log, startEmbedded } from "./embedded/embedded-postgres.ts";
import { isRefusedLogin } from "./errors.ts";
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
    await chooseCallerLogin(connections).catch(async (error: unknown) => {
      await connections.close();
      const hint = isRefusedLogin((error as DatabaseError).code ?? "")
        ? ". If this PostgreSQL is new to the site, `npm run admin -- database-setup` prepares it."
        : "";
      throw new StartError(
        `The PostgreSQL of DATABASE_URL cannot be used: ${describeConnectionError(error)}${hint}`,
        error,
      );
    });
    warnOfUnverifiedServer(connections, log);
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
    // A migration that fails is named by a StartError, whose cause is PostgreSQL's error.
    const { code, message, cause } = error as DatabaseError & { cause?: DatabaseError };
    if ((cause?.code ?? code) === insufficientPrivilege) {
      throw new StartError(
        `The user of DATABASE_URL must own the database, and the roles of the site must be there: ${message}. \`npm run admin -- database-setup\` prints the SQL that a superuser runs once (docs/operating.md).`,
        error,
      );
    }
    throw error;
  }
}

/** `sslmode=require` means what it means for psql, which surprises operators who take it for a check. */
function warnOfUnverifiedServer({ owner: { options } }: Connections, log: Log) {
  if (typeof options.ssl !== "object" || options.ssl.rejectUnauthorized !== false) return;
  log.warn(
    "The sslmode in DATABASE_URL encrypts, and does not check which server answers: sslmode=verify-full&sslrootcert=FILE does.",
  );
}
