import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { isTransient } from "./errors.ts";

/** The pause before each check whether PostgreSQL is back. */
const pauseMilliseconds = 100;

/**
 * How many times work runs at most. Without a limit, a statement that crashes PostgreSQL would crash it again and
 * again.
 */
const runsMax = 3;

/**
 * Limits how long one request or job waits for PostgreSQL in total. The limit is that of one wait for a free
 * connection. `signal` aborts the waits when the client is gone or the server stops.
 */
export class ReconnectBudget {
  /** Returns the signal that aborts the waits. It is called only when something has to wait. */
  readonly signal: () => AbortSignal | undefined;
  #deadline: number | undefined;

  constructor(signal: () => AbortSignal | undefined = () => undefined) {
    this.signal = signal;
  }

  /** All waits inside `work`, at any depth, share this budget. */
  run<T>(work: () => T): T {
    return budgets.run(this, work);
  }

  /** The time limit starts with the first wait. */
  millisecondsLeft(pool: Pool): number {
    this.#deadline ??= performance.now() + (pool.options.connectionTimeoutMillis ?? 0);
    return this.#deadline - performance.now();
  }
}

const budgets = new AsyncLocalStorage<ReconnectBudget>();

/**
 * Retries `begin` while PostgreSQL is unavailable: a restart of PostgreSQL then delays requests, but none of them
 * fails. `begin` must leave no effect when its connection breaks, as the SQL statement `begin` does.
 */
export function retryBeginning<T>(pool: Pool, begin: () => Promise<T>): Promise<T> {
  return retry(pool, begin, Number.POSITIVE_INFINITY);
}

/**
 * Retries work that may be done twice without harm: the first run may have been committed before the connection broke.
 */
export function retryRepeatable<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  return retry(pool, work, runsMax);
}

/**
 * Runs single statements of the pool, and repeats them after a lost connection. It is only for statements that may run
 * twice: a read, for example, or an increment of a counter for which one too many does no harm.
 */
export function repeatable(pool: Pool): Pick<Pool, "query"> {
  const query = (...args: Parameters<Pool["query"]>) => retryRepeatable(pool, async () => pool.query(...args));
  return { query: query as unknown as Pool["query"] };
}

function retry<T>(pool: Pool, work: () => Promise<T>, timesMax: number): Promise<T> {
  const budget = budgets.getStore() ?? new ReconnectBudget();
  return budget.run(async () => {
    for (let times = 1; ; times++) {
      try {
        return await work();
      } catch (error) {
        if (times >= timesMax || !isTransient(error) || !(await isBack(pool, budget))) throw error;
      }
    }
  });
}

/** Resolves with true once PostgreSQL answers, or with false if the time limit or the abort signal comes first. */
async function isBack(pool: Pool, budget: ReconnectBudget): Promise<boolean> {
  const signal = budget.signal();
  const millisecondsLeft = budget.millisecondsLeft(pool);
  if (pool.ending || signal?.aborted || millisecondsLeft <= 0) return false;

  const { promise: over, resolve } = Promise.withResolvers<false>();
  const giveUp = () => resolve(false);
  const timer = setTimeout(giveUp, millisecondsLeft);
  signal?.addEventListener("abort", giveUp);
  try {
    for (;;) {
      const result = await Promise.race([over, checkConnection(pool)]);
      if (result !== "still away") return result;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

const runningChecks = new WeakMap<Pool, Promise<true | "still away">>();

/** One check for all waiting requests: many connection attempts would slow down the recovery of PostgreSQL. */
function checkConnection(pool: Pool): Promise<true | "still away"> {
  const found = runningChecks.get(pool);
  if (found) return found;

  const started = checkOnce(pool).finally(() => runningChecks.delete(pool));
  runningChecks.set(pool, started);
  return started;
}

async function checkOnce(pool: Pool): Promise<true | "still away"> {
  await pause(pauseMilliseconds);
  try {
    // A pooler lets its clients in while PostgreSQL is away, so only an answer to a statement counts.
    await pool.query("select");
    return true;
  } catch (error) {
    // Any other error means that PostgreSQL answers again. The work itself will report the error.
    return isTransient(error) ? "still away" : true;
  }
}
