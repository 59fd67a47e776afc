import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { DatabaseAwayError, isOutOfConnections, isTransient } from "./errors.ts";

/** The pause before each check whether PostgreSQL is back. */
const pauseMilliseconds = 100;

/** The pool for single statements that may run twice, such as a read, or an increment that does no harm if repeated. */
export function repeatable(pool: Pool): Pick<Pool, "query"> {
  const query = (...args: Parameters<Pool["query"]>) => retry(pool, async () => pool.query(...args));
  return { query: query as unknown as Pool["query"] };
}

const stopped = new WeakSet<Pool>();

/** Ends the waits for PostgreSQL, because the server stops. What runs already may go on. */
export function stopWaiting(pool: Pool) {
  stopped.add(pool);
}

/**
 * Repeats work while PostgreSQL is unavailable: a restart of PostgreSQL then delays requests, but none of them fails. The
 * work must do no harm if it is done twice, because a first run may have been committed before the connection broke. From
 * its first failure it waits as long for PostgreSQL as it would for a free connection. Work that comes while others wait
 * joins them before it tries: an attempt of every request slows down the recovery of PostgreSQL. Without `runsMax`, a
 * statement that crashes PostgreSQL would crash it again and again.
 */
export async function retry<T>(pool: Pool, work: () => Promise<T>, runsMax = 3): Promise<T> {
  let timeIsUp: Promise<false> | undefined;
  const isBackInTime = () => {
    timeIsUp ??= pause(pool.options.connectionTimeoutMillis ?? 0, false, { ref: false });
    return Promise.race([timeIsUp, checkShared(pool)]);
  };
  if (checks.has(pool) && !(await isBackInTime())) throw new DatabaseAwayError("PostgreSQL did not come back in time.");
  for (let runs = 1; ; runs++) {
    try {
      return await work();
    } catch (error) {
      const isRefused = isOutOfConnections(error);
      if (isRefused) shrink(pool);
      if ((runs >= runsMax && !isRefused) || !isTransient(error) || !(await isBackInTime())) throw error;
    }
  }
}

/**
 * PostgreSQL or a pooler gives no more connections: for ten seconds requests wait for those that the pool has, as in a full
 * one, instead of asking for more.
 */
function shrink({ options, totalCount }: Pool) {
  const { max } = options;
  if (totalCount === 0 || totalCount >= max) return;
  options.max = totalCount;
  setTimeout(() => {
    options.max = Math.max(options.max, max);
  }, 10_000).unref();
}

const checks = new WeakMap<Pool, Promise<boolean>>();

/** One check for all waiting requests. */
function checkShared(pool: Pool) {
  const running = checks.get(pool) ?? check(pool).finally(() => checks.delete(pool));
  checks.set(pool, running);
  return running;
}

/** False if the server stops. */
async function check(pool: Pool): Promise<boolean> {
  do {
    await pause(pauseMilliseconds);
    if (pool.ending || stopped.has(pool)) return false;
    // A pooler lets its clients in while PostgreSQL is away, so only an answer to a statement counts. Any other error means
    // that PostgreSQL answers again.
  } while (await pool.query("select").then(() => false, isTransient));
  return true;
}
