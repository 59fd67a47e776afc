import type { Pool } from "pg";
import type { Log } from "./queue.ts";

/** A worker is known by the name of its connections; of those who are gone only their locks are left. */
const missingWorkers = `
  select distinct locked_by as name from graphile_worker.jobs
  where locked_by is not null and not exists (
    select from pg_stat_activity where datname = current_database() and application_name = locked_by)`;

/**
 * Gives back the jobs of workers that are gone: the library itself waits four hours. When PostgreSQL was restarted, a
 * worker that lives is without a connection for a moment, perhaps in the middle of a conversation with a mail server; so
 * only one that stays away is gone.
 */
export function releaseDeadWorkers(
  pool: Pool,
  {
    log,
    lookEverySeconds = 5,
    missingSecondsMax = 15,
  }: { log: Log; lookEverySeconds?: number | undefined; missingSecondsMax?: number | undefined },
) {
  const missingSince = new Map<string, number>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  void look();

  async function look() {
    try {
      const gone = await findGone();
      if (gone.length > 0 && !stopped) {
        await pool.query("select graphile_worker.force_unlock_workers($1)", [gone]);
        log.info(`${gone.length === 1 ? "A worker is" : `${gone.length} workers are`} gone; others take over.`);
      }
    } catch {
      // Who cannot ask PostgreSQL cannot tell who else could.
      missingSince.clear();
    }
    if (!stopped) timer = setTimeout(look, lookEverySeconds * 1000);
  }

  async function findGone(): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(missingWorkers);
    const missing = new Set(rows.map(({ name }) => name));
    const now = performance.now();
    for (const name of missingSince.keys()) if (!missing.has(name)) missingSince.delete(name);
    for (const name of missing) if (!missingSince.has(name)) missingSince.set(name, now);
    return [...missing].filter((name) => now - (missingSince.get(name) ?? now) >= missingSecondsMax * 1000);
  }

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
