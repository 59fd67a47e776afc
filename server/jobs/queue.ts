import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import { startWorker, type WorkerOptions } from "./worker.ts";

/**
 * How many times a job is attempted. After its nth failure a job waits for e^n seconds. From the tenth failure on it
 * waits for e^10 seconds, which is 6.1 hours (graphile-worker sets these pauses). The first nine pauses together last
 * 3.6 hours. 22 attempts have 21 pauses: these nine and 12 of 6.1 hours, in all 3.2 days. 14 attempts have 13 pauses:
 * these nine and four of 6.1 hours, in all 1.2 days.
 */
export const attemptsFor = { threeDays: 22, oneDay: 14 };

export interface JobOptions {
  /** See `attemptsFor`. */
  attempts: number;
  /** Jobs with the same queue name run one after the other; jobs without one run side by side. */
  queue?: string;
  /** A job of a lower number runs before all due jobs of a higher one; the default is 0. */
  priority?: number;
}

/**
 * Adds a job, which any server on this database may run. If `db` is inside a transaction, the job exists only after its
 * commit. Every backup of the database holds `payload`, so it must hold no secret.
 */
export async function addJob(
  db: Pick<Pool | ClientBase, "query">,
  task: string,
  payload: Record<string, unknown>,
  { attempts, queue, priority }: JobOptions,
): Promise<void> {
  await db.query(
    "select graphile_worker.add_job($1, payload => $2, queue_name => $3, max_attempts => $4, priority => $5)",
    [task, JSON.stringify(payload), queue ?? null, attempts, priority ?? 0],
  );
}

export interface Queue {
  /**
   * Starts no more jobs, and waits a few seconds for the jobs that are running. The next server runs the other jobs.
   */
  stop(): Promise<void>;
}

/** Runs the jobs of the database until `stop` is called. Other servers may do the same at the same time. */
export function startQueue(options: WorkerOptions): Queue {
  const stopping = new AbortController();
  let worker = startWorker(options);
  void keepWorking();

  // A worker ends if PostgreSQL is down when the worker stores the result of a job. Then a new worker is started.
  async function keepWorking() {
    for (;;) {
      const reason = await worker.ended;
      if (stopping.signal.aborted) return;
      options.log.warn(`The queue restarts: ${reason}`);
      await pause(1000, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      worker = startWorker(options);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await worker.stop();
    },
  };
}
