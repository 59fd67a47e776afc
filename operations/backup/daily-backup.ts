import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { BaseLogger } from "pino";
import { recurringJobs, scheduleRecurringJob } from "#server/jobs/queue";
import type { Attempt, RecurringJob } from "#server/jobs/worker";
import { backupName, findBackupDirProblem, listBackups } from "./backup-files.ts";
import { writeBackup } from "./write-backup.ts";

export interface DailyBackupOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "error">;
  backup: { dir: string; keep: number; at: string };
  /** The time of PostgreSQL, which all servers of a database share. */
  now?: () => Promise<Date>;
}

const task = recurringJobs.backup;

/** When a missed backup begins, counted from the start, which has more urgent work. */
const missedSeconds = 10;
const retryMinutes = 30;
const daySeconds = 24 * 60 * 60;

/** The pause after each 64 KB, so that visitors' requests do not wait for the daily backup. */
const pauseMilliseconds = 10;

/**
 * The daily backup (docs/operating.md#backups). It is a job, so all servers of the database together make one a day. A
 * failure is only logged: as a failed job, admins would see it among failed mails.
 */
export function dailyBackup({ owner, log, backup, now = () => timeOf(owner) }: DailyBackupOptions): RecurringJob {
  const { dir, keep, at } = backup;
  return { tasks: { [task]: run }, schedule };

  async function run(_payload: unknown, attempt: Attempt) {
    const delaySeconds = await make(attempt.signal).then(
      (endedAt) => daySeconds - secondsSince(at, endedAt),
      (err: Error) => {
        // A stop abandons the backup. Another server makes it, or the next start.
        if (attempt.signal.aborted) return missedSeconds;
        log.error({ err }, `The daily backup failed and will be tried again in ${retryMinutes} minutes.`);
        return retryMinutes * 60;
      },
    );
    await attempt.repeat(delaySeconds);
  }

  /** Resolves with the time of its end. PostgreSQL is asked for the time only before: it may be away after a good backup. */
  async function make(signal: AbortSignal): Promise<Date> {
    const beganAt = await now();
    const began = performance.now();
    const file = join(dir, backupName(beganAt));
    const { bytes } = await writeBackup(owner, file, { progress: () => pause(pauseMilliseconds), signal });
    const milliseconds = Math.round(performance.now() - began);
    log.info({ file, bytes, seconds: milliseconds / 1000 }, "Made the daily backup.");
    const endedAt = new Date(beganAt.getTime() + milliseconds);
    // Backups are known by their names. Other files stay.
    for (const old of (await listBackups(dir, endedAt)).slice(keep)) await rm(old.file, { force: true });
    return endedAt;
  }

  /**
   * The job is due at its time of day, or soon if today's backup was missed. A start sets the time anew, because BACKUP_AT
   * may have changed. A missing directory is logged and not created: its disk may not be mounted.
   */
  async function schedule() {
    const problem = await findBackupDirProblem(dir);
    if (problem) log.error(problem);
    const time = await now();
    const [newest] = problem ? [] : await listBackups(dir, time);
    const sinceDue = secondsSince(at, time);
    const isMade = newest && (time.getTime() - newest.madeAt.getTime()) / 1000 <= sinceDue;
    const delaySeconds = isMade ? daySeconds - sinceDue : missedSeconds;
    await scheduleRecurringJob(owner, task, { delaySeconds, lane: "backup", priority: 0, moves: true });
  }
}

async function timeOf(owner: Pool): Promise<Date> {
  return (await owner.query<{ now: Date }>("select now()")).rows[0]?.now ?? new Date();
}

/** The seconds since it was `at` o'clock, in UTC. */
function secondsSince(at: string, now: Date): number {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return ((now.getTime() - today.getTime()) / 1000 + daySeconds) % daySeconds;
}
