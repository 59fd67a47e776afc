import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

export type Query = <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;

/**
 * How long the queue may take to become empty after the last contact. The leases of a killed server expire within 20
 * seconds, and a job that waits for a hanging SMTP server fails after 30.
 */
const queueSecondsMax = 120;

/**
 * The queue retries a failed job only after minutes, later after hours. To save that time, this function tells the queue
 * to retry the job now.
 */
export async function untilQueueIsEmpty(
  query: Query,
  { progress, signal }: { progress: (message: string) => void; signal: AbortSignal },
) {
  const deadline = performance.now() + queueSecondsMax * 1000;
  while (performance.now() < deadline) {
    const { jobs, leased } = await countJobs(query);
    progress(`${jobs} jobs left, ${leased} of them running or leased by a killed server`);
    if (jobs === 0) return;
    await query("update private.jobs set run_at = now() where leased_by is null and run_at > now()");
    await pause(1000, undefined, { signal });
  }
}

export async function countJobs(query: Query): Promise<{ jobs: number; leased: number }> {
  const [counts = { jobs: 0, leased: 0 }] = await query<{ jobs: number; leased: number }>(
    "select count(*)::int as jobs, count(leased_by)::int as leased from private.jobs where task <> 'remove-expired-contacts'",
  );
  return counts;
}
