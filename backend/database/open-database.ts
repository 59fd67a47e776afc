import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseError } from "pg";
import { StartError } from "#process/start-error";
import { chooseCallerLogin } from "./caller-login.ts";
import { describeConnection } from "./client.ts";
import { type Connections, connect } from "./connections.ts";
import { describeConnectionError } from "./database-url.ts";
import { hasEmbeddedData, type Log, runningConnection, startEmbedded } from "./embedded/embedded-postgres.ts";
import { isHeldBy, type LockHolder } from "./embedded/server-lock.ts";
import { explain, insufficientPrivilege, isRefusedLogin, isWorthWaiting } from "./errors.ts";
import { type MigrateOptions, migrate } from "./migrate.ts";
import type { Migrations } from "./migrations.ts";

/** How long a stop waits for the connections to end. */
const closeSecondsMax = 0.5;

/** How often a server that waits for its database tries again, and how often it says so. */
const attemptMilliseconds = 1000;
const reminderMilliseconds = 60_000;

/**
 * - A `server` starts the embedded PostgreSQL, and is refused if another server or command holds it.
 * - A `command` uses that of a running server, or starts and holds it.
 * - The `doctor` starts, makes and migrates nothing.
 */
type Opener = LockHolder | "doctor";

export interface OpenOptions extends MigrateOptions {
  as?: Opener;
  /** Refuses a data folder without a database, and a database without the tables of a site. */
  mustExist?: boolean;
  /**
   * Called if the PostgreSQL of DATABASE_URL is away, with connections that do not work yet: a server waits, because
   * after a power cut both start at once. Without it, as in a command, a failure is an error.
   */
  whenAway?: (connections: Connections) => void;
}

export interface OpenDatabase extends Connections {
  /**
   * Whether a server answers from this database: false if the embedded PostgreSQL was started here. With DATABASE_URL it is
   * unknown, because a server elsewhere may use the same database.
   */
  isServed: boolean | undefined;
}

/**
 * Opens the database of the settings, and migrates it unless a server of this machine has done so. With `databaseUrl` it is
 * an operator's own database, which several servers may share. Otherwise it is the embedded PostgreSQL in `dataDir`, which
 * `close` stops if it was started here.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  log: Log,
  migrations: Migrations,
  { as = "server", mustExist = false, ...given }: OpenOptions = {},
): Promise<OpenDatabase> {
  const options: OpenOptions = as === "doctor" ? { ...given, only: "none" } : given;
  if (databaseUrl === undefined && (mustExist || as === "doctor") && !hasEmbeddedData(dataDir))
    throw noDatabase(dataDir);
  // What changes nothing, as a backup, may read from a standby.
  const database =
    databaseUrl === undefined
      ? (as !== "server" && (await connectToServer(dataDir, log))) || (await startAndConnect(dataDir, log, as))
      : { ...connect(databaseUrl, log, { mayBeStandby: options.only === "none" }), isServed: undefined };
  try {
    const migrateIt = () => migrateOwn(database.owner, log, migrations, options);
    if (databaseUrl !== undefined) await openWhenThere(database, log, migrateIt, { ...options, mustExist });
    else if (!database.isServed) await migrateIt();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The embedded PostgreSQL of a running server; undefined if no server has it. */
async function connectToServer(dataDir: string, log: Log): Promise<OpenDatabase | undefined> {
  const connection = await runningConnection(dataDir);
  if (!connection) return undefined;
  const connections = connect(connection, log);
  if (await isHeldBy("server", connections.owner).catch(() => false)) return { ...connections, isServed: true };
  await connections.close();
  return undefined;
}

async function startAndConnect(dataDir: string, log: Log, as: Opener): Promise<OpenDatabase> {
  if (as === "doctor") throw new StartError(`No server is running on ${dataDir}: start it with npm start.`);
  const embedded = await startEmbedded({ dataDir, log, as });
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
  return { ...connections, close, isServed: false };
}

/** A command in another shell may lack the server's settings: a second database of its own would go unnoticed. */
function noDatabase(place: string): StartError {
  return new StartError(
    `There is no site database in ${place}: npm start makes one. If the site uses another, name it in DATA_DIR or DATABASE_URL, or in the file of ENV_FILE.`,
  );
}

/** True for a hosted project too. */
async function hasAccounts(owner: Connections["owner"]): Promise<boolean> {
  return (await owner.query("select to_regnamespace('auth') is not null as found")).rows[0].found;
}

/** Opens the database of DATABASE_URL, and waits for it if `whenAway` is given. */
async function openWhenThere(
  connections: Connections,
  log: Log,
  migrateIt: () => Promise<void>,
  { whenAway, mustExist }: OpenOptions,
) {
  const { owner } = connections;
  let remindAt = 0;
  for (;;) {
    try {
      await chooseCallerLogin(connections).catch(reportUnusable);
      if (mustExist && !(await hasAccounts(owner))) throw noDatabase(describeConnection(owner.options));
      await migrateIt();
      warnOfUnverifiedServer(connections, log);
      if (remindAt > 0) log.warn("The PostgreSQL of DATABASE_URL answers: continuing to start.");
      return;
    } catch (error) {
      if (!whenAway || owner.ending || !isWorthWaiting(error)) throw error;
      if (performance.now() >= remindAt) {
        const { message, cause = error } = error as Error;
        log.warn(`${explain(cause) ?? `${message}.`} Waiting for it; contacts and logins are answered with 503.`);
        remindAt = performance.now() + reminderMilliseconds;
      }
      whenAway(connections);
    }
    await pause(attemptMilliseconds);
  }
}

function reportUnusable(error: unknown): never {
  const hint = isRefusedLogin(error)
    ? ". If this PostgreSQL is new to the site, `npm run admin -- database-setup` prepares it."
    : "";
  throw new StartError(
    `The PostgreSQL of DATABASE_URL cannot be used: ${describeConnectionError(error)}${hint}`,
    error,
  );
}

async function migrateOwn(owner: Connections["owner"], log: Log, migrations: Migrations, options: MigrateOptions) {
  try {
    await migrate(owner, log, migrations, options);
  } catch (error) {
    // A migration that fails is named by a StartError, whose cause is PostgreSQL's error.
    const { code, message, cause } = error as DatabaseError & { cause?: DatabaseError };
    if ((cause?.code ?? code) === insufficientPrivilege) {
      throw new StartError(
        `The user of DATABASE_URL must own the database, and the roles of the site must be there: ${message}. \`npm run admin -- database-setup\` prints the SQL that a superuser runs once (docs/postgresql.md).`,
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
