import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";
import { backupName, findBackupDirProblem, listBackups } from "./backup-files.ts";
import { writeBackup } from "./write-backup.ts";

export interface DailyBackupOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "error">;
  backup: { dir: string; keep: number; at: string };
  now?: () => Date;
}

export interface DailyBackup {
  /** Makes the backup that is due, if no server has made it. Never rejects. */
  look(): Promise<void>;
  /** Abandons a backup that is being made. The next server makes it. */
  stop(): Promise<void>;
}

/** How often the clock and the directory are looked at. A machine that slept makes its backup within this time. */
const lookMilliseconds = 60 * 1000;

/** A start has more urgent work first. */
const firstLookMilliseconds = 10_000;

/** After each 64 KB the requests of visitors have their turn: nobody waits for a daily backup. */
const pauseMilliseconds = 10;

const retryMinutes = 30;

/**
 * Servers of one directory write under this name, which only one of them can create. One that nothing was written into
 * for this long was left by a killed server.
 */
const unfinishedName = "backup.unfinished";
const staleMinutes = 10;

const minuteMilliseconds = 60 * 1000;
const dayMilliseconds = 24 * 60 * minuteMilliseconds;

/**
 * Makes a backup each day, and one that was missed soon after the start. A missing directory is only told of: its disk
 * may not be mounted, and a new one would be on another.
 */
export function startDailyBackup(options: DailyBackupOptions): DailyBackup {
  findBackupDirProblem(options.backup.dir).then((problem) => problem && options.log.error(problem));
  const daily = createDailyBackup(options);
  const first = setTimeout(daily.look, firstLookMilliseconds).unref();
  const later = setInterval(daily.look, lookMilliseconds).unref();
  return {
    look: daily.look,
    stop() {
      clearTimeout(first);
      clearInterval(later);
      return daily.stop();
    },
  };
}

export function createDailyBackup({ owner, log, backup, now = () => new Date() }: DailyBackupOptions): DailyBackup {
  const { dir, keep, at } = backup;
  const stopping = new AbortController();
  let looking: Promise<void> | undefined;
  let failedAt: Date | undefined;

  return {
    look() {
      looking ??= makeIfDue()
        .catch(report)
        .finally(() => {
          looking = undefined;
        });
      return looking;
    },
    async stop() {
      stopping.abort();
      await looking;
    },
  };

  async function makeIfDue() {
    // In this order: a backup that another server completes between the two questions is found by the second one.
    if (hasJustFailed() || (await isBeingMade(owner, dir)) || (await isMade())) return;
    const began = now();
    const file = join(dir, backupName(began));
    const { bytes } = await writeBackup(owner, file, {
      unfinished: join(dir, unfinishedName),
      progress: () => pause(pauseMilliseconds),
      signal: stopping.signal,
    });
    const seconds = (now().getTime() - began.getTime()) / 1000;
    log.info({ file, bytes, seconds }, "Made the daily backup.");
    await removeOld(dir, keep, now());
  }

  function hasJustFailed(): boolean {
    const milliseconds = failedAt ? now().getTime() - failedAt.getTime() : Number.NaN;
    return milliseconds >= 0 && milliseconds < retryMinutes * minuteMilliseconds;
  }

  async function isMade(): Promise<boolean> {
    const [newest] = await listBackups(dir, now());
    return newest !== undefined && newest.madeAt >= lastDue(now(), at);
  }

  function report(error: Error) {
    const isOfAnother = (error.cause as NodeJS.ErrnoException | undefined)?.code === "EEXIST";
    if (isOfAnother || stopping.signal.aborted) return;
    failedAt = now();
    log.error({ err: error }, `The daily backup failed and will be tried again in ${retryMinutes} minutes.`);
  }
}

/** The last moment that was `at` o'clock, in UTC. */
function lastDue(now: Date, at: string): Date {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return today <= now ? today : new Date(today.getTime() - dayMilliseconds);
}

async function isBeingMade(owner: Pool, dir: string): Promise<boolean> {
  const unfinished = join(dir, unfinishedName);
  const state = await stateOf(unfinished);
  if (state === "stale") await removeStale(owner, unfinished);
  return state === "fresh";
}

/** The lock makes the look and the removal one step, so that no server removes what another one has just begun. */
async function removeStale(owner: Pool, unfinished: string) {
  await inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.unfinishedBackup]);
    if ((await stateOf(unfinished)) === "stale") await rm(unfinished, { force: true });
  });
}

async function stateOf(unfinished: string): Promise<"missing" | "fresh" | "stale"> {
  const found = await lstat(unfinished).catch(() => undefined);
  if (!found) return "missing";
  // A time in the future is that of a clock that was wrong.
  return Math.abs(Date.now() - found.mtimeMs) < staleMinutes * minuteMilliseconds ? "fresh" : "stale";
}

/** Removes backups by their names only. Other files stay. */
async function removeOld(dir: string, keep: number, now: Date) {
  for (const { file } of (await listBackups(dir, now)).slice(keep)) await rm(file, { force: true });
}
