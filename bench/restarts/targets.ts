import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findCluster } from "#server/database/embedded/cluster";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { findPostmaster } from "#server/database/embedded/postmaster";
import { startMajor } from "#tests/support/postgres-major";

/** A PostgreSQL that is restarted again and again. */
export interface Target {
  /** What the server must know to use it. */
  environment: Record<string, string>;
  /** Ends it, and resolves once it is back: a machine that is too slow for the pace restarts it less often. */
  restart(): Promise<void>;
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** The server's own, which the server has to notice and bring back. */
export function startEmbeddedTarget(dataDir: string): Target {
  return {
    environment: {},
    async restart() {
      process.kill(await running(dataDir), "SIGKILL");
      while (!(await answers(dataDir))) await pause(100);
    },
    query: async (sql) => query(await embeddedConnection(dataDir), sql),
    async stop() {},
  };
}

/** An operator's own, which comes back by itself: politely and without farewell in turns. */
export async function startExternalTarget(): Promise<Target> {
  const postgres = await startMajor(18);
  const { host, port, user, password, database } = postgres.connection;
  const [name, secret, place] = [user, password, host].map(encodeURIComponent);
  let restarts = 0;
  return {
    environment: { DATABASE_URL: `postgres://${name}:${secret}@${place}:${port}/${database}` },
    restart: () => postgres.restart(restarts++ % 2 === 0 ? "fast" : "immediate"),
    query: (sql) => query(postgres.connection, sql),
    stop: postgres.stop,
  };
}

/** The process id of PostgreSQL, once one runs. */
async function running(dataDir: string): Promise<number> {
  for (;;) {
    const cluster = await findCluster(dataDir);
    const postmaster = cluster && (await findPostmaster(cluster));
    if (postmaster) return postmaster.pid;
    await pause(20);
  }
}

async function answers(dataDir: string): Promise<boolean> {
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
