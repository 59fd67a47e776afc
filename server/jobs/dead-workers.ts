import type { Pool } from "pg";
import type { BaseLogger } from "pino";

/** Selects the workers that hold locks but have no connection. Each worker uses its name for all its connections. */
const missingWorkers = `
  select distinct locked_by as name from graphile_worker.jobs
  where locked_by is not null and not exists (
    select from pg_stat_activity where datname = current_database() and application_name = locked_by)`;

export interface DeadWorkerOptions {
  log: Pick<BaseLogger, "info">;
  checkSeconds?: number | undefined;
  missingSecondsMax?: number | undefined;
}

/**
 * Unlocks the jobs of dead workers. The library itself would do this only after four hours. When PostgreSQL restarts, a
 * live worker has no connection for a moment, perhaps while it talks to a mail server. So a worker counts as dead only
 * when it has had no connection for `missingSecondsMax`.
 */
export function releaseDeadWorkers(pool: Pool, options: DeadWorkerOptions) {
  const { log, checkSeconds = 5, missingSecondsMax = 15 } = options;
  const missingSince = new Map<string, number>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  void check();

  async function check() {
    try {
      const dead = await findDeadWorkers();
      if (dead.length > 0 && !stopped) {
        await pool.query("select graphile_worker.force_unlock_workers($1)", [dead]);
        log.info(`Released the jobs of ${dead.length === 1 ? "a dead worker" : `${dead.length} dead workers`}.`);
      }
    } catch {
      // PostgreSQL does not answer, so other workers may have lost their connections too: their missing time starts
      // again at 0.
      missingSince.clear();
    }
    if (!stopped) timer = setTimeout(check, checkSeconds * 1000);
  }

  async function findDeadWorkers(): Promise<string[]> {
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
