import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import { startWorker, type WorkerOptions } from "./worker.ts";

/**
 * How often a job is attempted. After its nth failure a job rests for e^n seconds, from the tenth on for e^10, which is
 * 6.1 hours (graphile-worker sets these pauses). The nine growing pauses last 3.6 hours in all. With 12 pauses of 6.1
 * hours after them the attempts take 3.2 days, with four they take 1.2 days. There is one attempt more than there are
 * pauses.
 */
export const attemptsFor = { threeDays: 22, oneDay: 14 };

export interface JobOptions {
  /** See `attemptsFor`. */
  attempts: number;
  /** Jobs with the same queue name run one after the other; jobs without one run side by side. */
  queue?: string;
}

/**
 * Adds a job, which any server on this database may run. If `db` is inside a transaction, the job exists only after its
 * commit. Every backup of the database holds `payload`, so it must hold no secret.
 */
export async function addJob(
  db: Pick<Pool | ClientBase, "query">,
  task: string,
  payload: Record<string, unknown>,
  { attempts, queue }: JobOptions,
): Promise<void> {
  await db.query("select graphile_worker.add_job($1, payload => $2, queue_name => $3, max_attempts => $4)", [
    task,
    JSON.stringify(payload),
    queue ?? null,
    attempts,
  ]);
}

export interface Queue {
  /** Starts no more jobs and waits a few seconds for the running ones; the next server does the rest. */
  stop(): Promise<void>;
}

/** Runs the jobs of the database until `stop` is called. Other servers may do the same at the same time. */
export function startQueue(options: WorkerOptions): Queue {
  const stopping = new AbortController();
  let worker = startWorker(options);
  void keepWorking();

  // A worker ends by itself if PostgreSQL is down when it stores the result of a job. A new one takes its place.
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
