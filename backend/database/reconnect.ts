import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { isOutOfConnections, isTransient } from "./errors.ts";

/** The pause before each check whether PostgreSQL is back. */
const pauseMilliseconds = 100;

/** Without a limit, a statement that crashes PostgreSQL would crash it again and again. */
const runsMax = 3;

/**
 * Retries `begin` while PostgreSQL is unavailable: a restart of PostgreSQL then delays requests, but none of them
 * fails. `begin` must leave no effect when its connection breaks, as the SQL statement `begin` does.
 */
export function retryBeginning<T>(pool: Pool, begin: () => Promise<T>): Promise<T> {
  return retry(pool, begin, Number.POSITIVE_INFINITY);
}

/** Retries work that may be done twice: the first run may have been committed before the connection broke. */
export function retryRepeatable<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  return retry(pool, work, runsMax);
}

/** The pool for single statements that may run twice, such as a read, or an increment that does no harm if repeated. */
export function repeatable(pool: Pool): Pick<Pool, "query"> {
  const query = (...args: Parameters<Pool["query"]>) => retryRepeatable(pool, async () => pool.query(...args));
  return { query: query as unknown as Pool["query"] };
}

const stopped = new WeakSet<Pool>();

/** Ends the waits for PostgreSQL, because the server stops. What runs already may go on. */
export function stopWaiting(pool: Pool) {
  stopped.add(pool);
}

/**
 * From its first failure, the work waits as long for PostgreSQL as it would for a free connection. Work that comes while
 * others wait joins them before it tries: an attempt of every request slows down the recovery of PostgreSQL.
 */
async function retry<T>(pool: Pool, work: () => Promise<T>, timesMax: number): Promise<T> {
  const waitUntilBack = waiting(pool);
  // Otherwise a request waits twice: for PostgreSQL, and then for a connection of its own.
  if (runningChecks.has(pool) && (await waitUntilBack()) === "time is up") throw lastErrors.get(pool);
  for (let times = 1; ; times++) {
    try {
      return await work();
    } catch (error) {
      const isRefused = isOutOfConnections(error);
      if (isRefused) shrink(pool);
      if ((times >= timesMax && !isRefused) || !isTransient(error)) throw error;
      lastErrors.set(pool, error);
      if ((await waitUntilBack()) !== "back") throw error;
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

/** All waits of one piece of work together last no longer than the limit. */
function waiting(pool: Pool): () => Promise<"back" | "time is up" | "ending"> {
  let timeIsUp: Promise<"time is up"> | undefined;
  return async () => {
    timeIsUp ??= pause(pool.options.connectionTimeoutMillis ?? 0, "time is up", { ref: false });
    while (!pool.ending && !stopped.has(pool)) {
      const result = await Promise.race([timeIsUp, checkConnection(pool)]);
      if (result !== "still away") return result;
    }
    return "ending";
  };
}

/** The last transient error of each pool, for requests that only waited. */
const lastErrors = new WeakMap<Pool, unknown>();
const runningChecks = new WeakMap<Pool, Promise<"back" | "still away">>();

/** One check for all waiting requests: many connection attempts would slow down the recovery of PostgreSQL. */
function checkConnection(pool: Pool): Promise<"back" | "still away"> {
  const running = runningChecks.get(pool) ?? checkOnce(pool).finally(() => runningChecks.delete(pool));
  runningChecks.set(pool, running);
  return running;
}

async function checkOnce(pool: Pool): Promise<"back" | "still away"> {
  await pause(pauseMilliseconds);
  try {
    // A pooler lets its clients in while PostgreSQL is away, so only an answer to a statement counts.
    await pool.query("select");
    return "back";
  } catch (error) {
    // Any other error means that PostgreSQL answers again. The work itself will report the error.
    return isTransient(error) ? "still away" : "back";
  }
}
