import { DatabaseError, type Pool } from "pg";
import { connectionsMax, separatePool } from "#backend/database/connections";
import { histories, type MigrationVersions, missingIn, versionsOf } from "#backend/database/migrations";
import { readProductMigrations } from "#server/database";
import { delayedJobs } from "#server/jobs/queue";

/** What `/readyz` tells of each part, by name (docs/protocol.md#health). */
export interface Checks {
  database: "ok" | "away" | "read only" | "disk full";
  migrations: "ok" | "newer" | "missing" | "unknown";
  queue: "ok" | "delayed" | "stopped" | "unknown";
}

/** However many ask, the database is asked once in this time at most. */
const pauseMilliseconds = 1000;

/** A hanging database is reported after the wait for a connection and the wait for an answer: two seconds. */
const waitMilliseconds = 1000;

/**
 * Asks on a connection of its own, so that an answer needs no connection of requests: a server with many requests is
 * ready. It does not wait for a PostgreSQL that restarts, as requests do.
 */
export function watchReadiness(owner: Pool, queueRuns: () => boolean, now: () => number = () => performance.now()) {
  const pool = separatePool(owner, {
    max: connectionsMax.readiness,
    connectionTimeoutMillis: waitMilliseconds,
    query_timeout: waitMilliseconds,
  });
  const expected = versionsOf(readProductMigrations());
  let checking: Promise<Checks> | undefined;
  let validUntil = 0;

  return {
    /** Resolves within about two seconds, and never rejects because of the database. */
    async check(): Promise<Checks> {
      if (!checking || now() >= validUntil) {
        const askedAt = now();
        validUntil = Number.POSITIVE_INFINITY;
        checking = ask().finally(() => {
          validUntil = askedAt + pauseMilliseconds;
        });
      }
      const checks = await checking;
      return checks.queue === "unknown" || queueRuns() ? checks : { ...checks, queue: "stopped" };
    },
    close: () => pool.end(),
  };

  async function ask(): Promise<Checks> {
    try {
      const { rows } = await pool.query<Row>(question);
      const [row] = rows;
      if (!row) throw new Error("The database answered without a row.");
      const migrations = compare(row.versions, expected);
      await pool.query(temporaryFile);
      return { database: row.is_read_only ? "read only" : "ok", migrations, queue: row.is_delayed ? "delayed" : "ok" };
    } catch (error) {
      if (error instanceof DatabaseError && error.code === diskFull)
        return { database: "disk full", migrations: "unknown", queue: "unknown" };
      // A table of the question is missing.
      const isEmpty = error instanceof DatabaseError && (error.code === "42P01" || error.code === "3F000");
      return isEmpty
        ? { database: "ok", migrations: "missing", queue: "unknown" }
        : { database: "away", migrations: "unknown", queue: "unknown" };
    }
  }
}

const diskFull = "53100";

/** Writes 150 kB into a temporary file. A row of a table may find room in a page on a disk that is full. */
const temporaryFile = "begin; set local work_mem = '64kB'; select from generate_series(1, 5000) offset 4999; commit";

interface Row {
  is_read_only: boolean;
  is_delayed: boolean;
  versions: MigrationVersions;
}

const versions = histories.map((history) => `'${history}', array(select version from supabase_migrations.${history})`);
const question = `
  select current_setting('transaction_read_only')::boolean as is_read_only,
    exists (select ${delayedJobs}) as is_delayed,
    json_build_object(${versions.join(", ")}) as versions`;

function compare(applied: MigrationVersions, brought: MigrationVersions) {
  if (missingIn(applied, brought)) return "missing";
  return missingIn(brought, applied) ? "newer" : "ok";
}
