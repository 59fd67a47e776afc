import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import { StartError } from "#process/start-error";
import { liftTimeLimits } from "./transaction.ts";

/**
 * How long visitors wait behind a change that waits for their table. It is longer than the second (deadlock_timeout) after
 * which PostgreSQL ends an autovacuum in the way.
 */
const lockMilliseconds = 2000;

/** In which the statements that have waited behind it pass. */
const pauseMilliseconds = 1000;

const triesSecondsMax = 5 * 60;

export interface InUse {
  /** A connection of its own. */
  db: ClientBase;
  log: Pick<BaseLogger, "info" | "warn">;
}

/**
 * Runs a transaction that changes tables in use. While it waits for a lock, every later statement on the table waits
 * behind it, and a backup holds its locks for minutes. So it gives up soon, lets those statements pass, and tries again;
 * also after a deadlock with a request. A failure is a `StartError` that begins with `problem`.
 */
export async function changeInUse({ db, log }: InUse, problem: string, work: () => Promise<unknown>) {
  const deadline = performance.now() + triesSecondsMax * 1000;
  for (let said = ""; ; await pause(pauseMilliseconds)) {
    let began: unknown;
    try {
      await db.query("begin");
      began = (await db.query("select now()")).rows[0].now;
      await liftTimeLimits(db);
      await db.query(`set local lock_timeout = ${lockMilliseconds}`);
      await work();
      await db.query("commit");
      return;
    } catch (error) {
      await db.query("rollback").catch(() => {});
      const { code = "", message } = error as DatabaseError;
      if (!["55P03", "40P01"].includes(code)) throw new StartError(`${problem}: ${message}`, error);
      const { rows } = await db.query(holdersSql, [began]);
      const reason = `${problem} while a lock is held by: ${rows[0].holders ?? "another transaction"}`;
      if (performance.now() > deadline) throw new StartError(`${reason}. End it, or start again when it has ended.`);
      if (reason !== said) log.warn(`${reason}. Trying again; statements of visitors pass meanwhile.`);
      said = reason;
    }
  }
}

/**
 * The transactions with locks of tables that are older than the wait. Their statements are left out, because they may hold
 * personal data.
 */
const holdersSql = `
  select string_agg(concat_ws(', ', nullif(application_name, ''), 'user ' || usename, 'process ' || pid,
    'since ' || date_trunc('second', xact_start)), '; ') as holders
  from pg_stat_activity where xact_start <= $1 and pid <> pg_backend_pid() and pid in
    (select pid from pg_locks join pg_class on oid = relation and relkind = 'r' and relnamespace <> 'pg_catalog'::regnamespace
     where database = (select oid from pg_database where datname = current_database()))`;
