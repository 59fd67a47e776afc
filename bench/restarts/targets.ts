import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findCluster } from "#server/database/embedded/cluster";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { findPostmaster } from "#server/database/embedded/postgres-process";
import { startMajor } from "#tests/support/postgres-major";

/** The PostgreSQL that is restarted. */
export interface Target {
  /** The settings with which the server uses this PostgreSQL. */
  environment: Record<string, string>;
  /** Resolves when PostgreSQL answers again. Only a PostgreSQL of an operator knows modes. */
  restart(mode?: "fast" | "immediate"): Promise<void>;
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** The embedded PostgreSQL. The server must detect that it has ended, and start it again. */
export function startEmbeddedTarget(dataDir: string): Target {
  return {
    environment: {},
    async restart() {
      process.kill(await postmasterPid(dataDir), "SIGKILL");
      while (!(await isAnswering(dataDir))) await pause(100);
    },
    query: async (sql) => query(await embeddedConnection(dataDir), sql),
    async stop() {},
  };
}

/** An operator's own PostgreSQL, restarted alternately with and without an orderly shutdown. */
export async function startExternalTarget(): Promise<Target> {
  const postgres = await startMajor(18);
  const { host, port, user, password, database } = postgres.connection;
  const [userName, secret, hostName] = [user, password, host].map(encodeURIComponent);
  let restarts = 0;
  return {
    environment: { DATABASE_URL: `postgres://${userName}:${secret}@${hostName}:${port}/${database}` },
    restart: (mode = restarts++ % 2 === 0 ? "fast" : "immediate") => postgres.restart(mode),
    query: (sql) => query(postgres.connection, sql),
    stop: postgres.stop,
  };
}

/** Resolves with the process id of PostgreSQL's main process (postmaster) as soon as it runs. */
async function postmasterPid(dataDir: string): Promise<number> {
  for (;;) {
    const cluster = await findCluster(dataDir);
    const postmaster = cluster && (await findPostmaster(cluster));
    if (postmaster) return postmaster.pid;
    await pause(20);
  }
}

async function isAnswering(dataDir: string): Promise<boolean> {
  try {
    await query(await embeddedConnection(dataDir), "select");
    return true;
  } catch {
    return false;
  }
}

async function query<Row extends pg.QueryResultRow>(connection: pg.ClientConfig, sql: string): Promise<Row[]> {
  const db = new pg.Client(connection);
  db.on("error", () => {});
  try {
    await db.connect();
    return (await db.query<Row>(sql)).rows;
  } finally {
    await db.end().catch(() => {});
  }
}
