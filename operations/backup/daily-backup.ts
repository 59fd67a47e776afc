import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#backend/database/advisory-locks";
import { inTransaction } from "#backend/database/transaction";
import { backupName, findBackupDirProblem, listBackups } from "#operations/backup/backup-files";
import { writeBackup } from "#operations/backup/write-backup";
import { addJob } from "#server/jobs/queue";
import type { JobHandler } from "#server/jobs/worker";

export interface DailyBackupOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "error">;
  backup: { dir: string; keep: number; at: string };
  now?: () => Date;
}

const task = "make-daily-backup";

/** When a missed backup begins, counted from the start, which has more urgent work. */
const missedSeconds = 10;
const retryMinutes = 30;
const daySeconds = 24 * 60 * 60;

/** A job is due by the clock of PostgreSQL, so it may come before its time on a server whose clock is behind. */
const clocksApartSeconds = 5 * 60;

/** The pause after each 64 KB, so that visitors' requests do not wait for the daily backup. */
const pauseMilliseconds = 10;

/**
 * The handler of the daily backup (docs/operating.md#backups). It adds the job of the next day in the transaction that ends
 * this one, so all servers of the database together make one backup a day. A failure is only logged: as a failed job, admins
 * would see it among failed mails.
 */
export function dailyBackup({ owner, log, backup: { dir, keep, at }, now = () => new Date() }: DailyBackupOptions) {
  return {
    async [task](_payload, attempt) {
      const delaySeconds = await make(attempt.signal).then(
        () => {
          const untilNext = daySeconds - secondsSince(at, now());
          return untilNext < clocksApartSeconds ? untilNext + daySeconds : untilNext;
        },
        (err: Error) => {
          // A stop abandons the backup. Another server makes it, or the next start.
          if (attempt.signal.aborted) return missedSeconds;
          log.error({ err }, `The daily backup failed and will be tried again in ${retryMinutes} minutes.`);
          return retryMinutes * 60;
        },
      );
      await inTransaction(owner, async (db) => {
        await attempt.finish(db);
        await addBackup(db, delaySeconds);
      });
    },
  } satisfies Record<string, JobHandler>;

  async function make(signal: AbortSignal) {
    const began = now();
    const file = join(dir, backupName(began));
    const { bytes } = await writeBackup(owner, file, { progress: () => pause(pauseMilliseconds), signal });
    log.info({ file, bytes, seconds: (now().getTime() - began.getTime()) / 1000 }, "Made the daily backup.");
    // Backups are known by their names. Other files stay.
    for (const old of (await listBackups(dir, now())).slice(keep)) await rm(old.file, { force: true });
  }
}

/**
 * Adds the job, due at its time of day, or soon if today's backup was missed. A start sets the time anew, because
 * BACKUP_AT may have changed. A missing directory is logged and not created: its disk may not be mounted.
 */
export async function scheduleDailyBackup({
  owner,
  log,
  backup: { dir, at },
  now = () => new Date(),
}: DailyBackupOptions) {
  const problem = await findBackupDirProblem(dir);
  if (problem) log.error(problem);
  const [newest] = problem ? [] : await listBackups(dir, now());
  const sinceDue = secondsSince(at, now());
  const isMade = newest && (now().getTime() - newest.madeAt.getTime()) / 1000 <= sinceDue;
  await inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.dailyBackup]);
    await db.query("delete from private.jobs where task = $1 and coalesce(leased_until <= now(), true)", [task]);
    const { rowCount } = await db.query("select from private.jobs where task = $1", [task]);
    if (rowCount === 0) await addBackup(db, isMade ? daySeconds - sinceDue : missedSeconds);
  });
}

/** The seconds since it was `at` o'clock, in UTC. */
function secondsSince(at: string, now: Date): number {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return ((now.getTime() - today.getTime()) / 1000 + daySeconds) % daySeconds;
}

/** A server that is killed in the middle uses up an attempt, so there are many. */
async function addBackup(db: ClientBase, delaySeconds: number) {
  await addJob(db, task, {}, { attempts: 10_000, lane: "backup", delaySeconds });
}
