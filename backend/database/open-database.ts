import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseError } from "pg";
import { StartError } from "#process/start-error";
import { chooseCallerLogin } from "./caller-login.ts";
import { type Connections, connect } from "./connections.ts";
import { describeConnectionError } from "./database-url.ts";
import { type Log, startEmbedded } from "./embedded/embedded-postgres.ts";
import type { LockHolder } from "./embedded/server-lock.ts";
import { explain, isRefusedLogin, isWorthWaiting } from "./errors.ts";
import { type MigrateOptions, migrate } from "./migrations.ts";
import { insufficientPrivilege } from "./sqlstate-http-status.ts";

/** How long a stop waits for the connections to end. */
const closeSecondsMax = 0.5;

/** How often a server that waits for its database tries again, and how often it says so. */
const attemptMilliseconds = 1000;
const reminderMilliseconds = 60_000;

interface OpenOptions extends MigrateOptions {
  /**
   * Called if the PostgreSQL of DATABASE_URL is away, with connections that do not work yet: a server waits, because
   * after a power cut both start at once. Without it, as in a command, a failure is an error.
   */
  whenAway?: (connections: Connections) => void;
  as?: LockHolder;
}

/**
 * Opens and migrates the database of the settings. With `databaseUrl` it is an operator's own database, which several
 * servers may share. Otherwise it is the embedded PostgreSQL in `dataDir`, which `close` stops.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  log: Log,
  { as = "server", ...options }: OpenOptions = {},
): Promise<Connections> {
  // What changes nothing, as a backup, may read from a standby.
  const connections =
    databaseUrl === undefined
      ? await connectEmbedded(dataDir, log, as)
      : connect(databaseUrl, log, { mayBeStandby: options.only === "none" });
  try {
    if (databaseUrl === undefined) await migrateOwn(connections.owner, log, options);
    else await openWhenThere(connections, log, options);
    return connections;
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function connectEmbedded(dataDir: string, log: Log, as: LockHolder): Promise<Connections> {
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
  return { ...connections, close };
}

/** Opens the database of DATABASE_URL, and waits for it if `whenAway` is given. */
async function openWhenThere(connections: Connections, log: Log, { whenAway, ...options }: OpenOptions) {
  const { owner } = connections;
  let remindAt = 0;
  for (;;) {
    try {
      await chooseCallerLogin(connections).catch(reportUnusable);
      await migrateOwn(owner, log, options);
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
  const hint = isRefusedLogin((error as DatabaseError).code ?? "")
    ? ". If this PostgreSQL is new to the site, `npm run admin -- database-setup` prepares it."
    : "";
  throw new StartError(
    `The PostgreSQL of DATABASE_URL cannot be used: ${describeConnectionError(error)}${hint}`,
    error,
  );
}

async function migrateOwn(owner: Connections["owner"], log: Log, options: MigrateOptions) {
  try {
    await migrate(owner, log, options);
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
