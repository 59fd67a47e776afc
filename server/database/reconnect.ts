import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { isTransient } from "./errors.ts";

/** Between two looks whether PostgreSQL is back. */
const pauseMilliseconds = 100;

/** A statement that itself brings PostgreSQL down must not do so again and again. */
const runsMax = 3;

/**
 * How long one request or job waits for PostgreSQL: all its waits together as long as for a free connection, and not
 * once `signal` is aborted, because its client has gone or the server stops.
 */
export class ReconnectBudget {
  /** Asked for only when something has to wait. */
  readonly signal: () => AbortSignal | undefined;
  #deadline: number | undefined;

  constructor(signal: () => AbortSignal | undefined = () => undefined) {
    this.signal = signal;
  }

  /** Whatever waits for PostgreSQL inside `work`, however deep, has this budget. */
  run<T>(work: () => T): T {
    return budgets.run(this, work);
  }

  /** It begins to run out with the first wait. */
  millisecondsLeft(pool: Pool): number {
    this.#deadline ??= performance.now() + (pool.options.connectionTimeoutMillis ?? 0);
    return this.#deadline - performance.now();
  }
}

const budgets = new AsyncLocalStorage<ReconnectBudget>();

/**
 * Begins again while PostgreSQL is away. Only for what leaves nothing behind when the connection breaks, such as
 * `begin`, so that a restart costs a pause and no refusal.
 */
export function retryBeginning<T>(pool: Pool, begin: () => Promise<T>): Promise<T> {
  return retry(pool, begin, Number.POSITIVE_INFINITY);
}

/** The same for work that may have been done when the connection broke. Only for what may be done twice. */
export function retryRepeatable<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  return retry(pool, work, runsMax);
}

/**
 * The pool for single statements that may run twice: a read, or a count where one too many does no harm. They wait for
 * PostgreSQL as the beginning of a transaction does.
 */
export function repeatable(pool: Pool): Pick<Pool, "query"> {
  const query = (...given: Parameters<Pool["query"]>) => retryRepeatable(pool, async () => pool.query(...given));
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

/** Resolves with true as soon as PostgreSQL answers, with false when the budget is spent first. */
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
      const answer = await Promise.race([over, look(pool)]);
      if (answer !== "still away") return answer;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

const looks = new WeakMap<Pool, Promise<true | "still away">>();

/** One for all that wait: a crowd of requests must not slow PostgreSQL down while it recovers. */
function look(pool: Pool): Promise<true | "still away"> {
  const found = looks.get(pool);
  if (found) return found;

  const started = lookOnce(pool).finally(() => looks.delete(pool));
  looks.set(pool, started);
  return started;
}

async function lookOnce(pool: Pool): Promise<true | "still away"> {
  await pause(pauseMilliseconds);
  try {
    (await pool.connect()).release();
    return true;
  } catch (error) {
    // Any other error is for the work itself to meet.
    return isTransient(error) ? "still away" : true;
  }
}
