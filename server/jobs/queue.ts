import type { ClientBase, Pool } from "pg";
import { connectionsMax, separatePool } from "#backend/database/connections";
import { type Lane, Worker, type WorkerOptions } from "./worker.ts";

/**
 * How many times a job is attempted. After its nth failure a job waits for e^n seconds. From the tenth failure on it
 * waits for e^10 seconds, which is 6.1 hours. The first nine pauses together last 3.6 hours. 22 attempts have 21 pauses:
 * these nine and 12 of 6.1 hours, in all 3.2 days. 14 attempts have 13 pauses: these nine and four of 6.1 hours, in all
 * 1.2 days.
 */
export const attemptsFor = { threeDays: 22, oneDay: 14 };

export interface JobOptions {
  /** See `attemptsFor`. */
  attempts: number;
  lane?: Lane | typeof digestLane;
  /** A job of a lower number runs before all due jobs of a higher one; the default is 0. */
  priority?: number;
  /** The pause before the first attempt. */
  delaySeconds?: number;
}

/** The jobs of this lane are never run: they wait until a digest counts them. */
export const digestLane = "digest";

/**
 * Adds a job, which any server on this database may run. If `db` is inside a transaction, the job exists only after its
 * commit. Every backup of the database holds `payload`, so it must hold no secret.
 */
export async function addJob(
  db: Pick<Pool | ClientBase, "query">,
  task: string,
  payload: Record<string, unknown>,
  { attempts, lane = "mail", priority = 0, delaySeconds = 0 }: JobOptions,
): Promise<void> {
  await db.query(
    `insert into private.jobs (task, payload, attempts_max, lane, priority, run_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    [task, payload, attempts, lane, priority, delaySeconds],
  );
}

/** Starts a worker with connections of its own. */
export function startQueue({ owner, ...options }: Omit<WorkerOptions, "pool"> & { owner: Pool }): Worker {
  return new Worker({ ...options, pool: separatePool(owner, { max: connectionsMax.queue }) });
}
