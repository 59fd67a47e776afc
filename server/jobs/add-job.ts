import type { ClientBase, Pool } from "pg";

/**
 * How often a job is tried. After its nth failure a job rests for e^n seconds, from the tenth on for e^10, which is 6.1
 * hours (graphile-worker fixes this). The nine growing pauses last 3.6 hours: with 12 long ones more it is 3.2 days, with
 * four more 1.2 days. The last attempt has no pause after it, hence one more than there are pauses.
 */
export const attemptsFor = { threeDays: 22, oneDay: 14 };

export interface JobOptions {
  /** See `attemptsFor`. */
  attempts: number;
  /** Jobs of one queue run one after the other; the others run side by side. */
  queue?: string;
}

/**
 * Leaves work for the queue, on whichever server it runs. Inside a transaction the job is part of it: it begins after
 * the commit, and never without. Nothing secret belongs in `payload`, which every backup of the database holds.
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
