import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";

/** Queries as the owner of the database; repeats a query while PostgreSQL restarts. */
export type Query = <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;

const outageSecondsMax = 30;

/** The PostgreSQL of a server, which starts it again after a crash. */
export function embeddedPostgres(dataDir: string) {
  const query = queryWhenUp(() => embeddedConnection(dataDir));
  return {
    query,
    async kill() {
      // While PostgreSQL restarts, postmaster.pid may still name the old process.
      await query("select");
      const [pid] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGKILL");
    },
  };
}

/** Repeats a query while PostgreSQL is away or somewhere else. */
export function queryWhenUp(findConnection: () => Promise<pg.ClientConfig>): Query {
  return async (sql, values) => {
    const deadline = performance.now() + outageSecondsMax * 1000;
    for (;;) {
      try {
        return await queryOnce(await findConnection(), sql, values);
      } catch (error) {
        if (performance.now() > deadline || (error as pg.DatabaseError).severity === "ERROR") throw error;
        await pause(50);
      }
    }
  };
}

async function queryOnce<Row extends pg.QueryResultRow>(connection: pg.ClientConfig, sql: string, values?: unknown[]) {
  const db = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 60_000 });
  db.on("error", () => {});
  try {
    await db.connect();
    return (await db.query<Row>(sql, values)).rows;
  } finally {
    await db.end().catch(() => {});
  }
}
