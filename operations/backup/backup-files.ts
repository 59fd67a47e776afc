import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describeFileError } from "#process/start-error";

/** A file of `BACKUP_DIR` that has the name of a complete backup. An unfinished one has another name. */
export interface BackupFile {
  file: string;
  madeAt: Date;
  bytes: number;
}

const namePattern = /^backup-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.zip$/;

/** `backup-2026-11-22T03-30-00Z.zip`: UTC, so that names sort by time, and no colon, which Windows does not allow. */
export function backupName(madeAt: Date): string {
  return `backup-${madeAt.toISOString().slice(0, 19).replaceAll(":", "-")}Z.zip`;
}

/** Why no backup can be made in this directory, as a sentence; undefined if one can. */
export async function findBackupDirProblem(dir: string): Promise<string | undefined> {
  return access(dir, constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: unknown) => `BACKUP_DIR cannot be used: ${dir}: ${describeFileError(error) ?? error}.`,
  );
}

/** Clocks of two servers differ by less than this. */
const clockDifferenceMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The backups in this directory, newest first; a missing directory holds none. A file of the future was made while a clock
 * was wrong, and must not pass for the newest one.
 */
export async function listBackups(dir: string, now = new Date()): Promise<BackupFile[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found = names.flatMap((name) => {
    const madeAt = timeInName(name);
    const isPast = madeAt && madeAt.getTime() < now.getTime() + clockDifferenceMilliseconds;
    return isPast ? [{ file: join(dir, name), madeAt }] : [];
  });
  const withSizes = await Promise.all(found.map(async (each) => ({ ...each, bytes: await bytesOf(each.file) })));
  // Another server may remove an old backup meanwhile.
  return withSizes
    .filter((each): each is BackupFile => each.bytes !== undefined)
    .sort((one, other) => other.madeAt.getTime() - one.madeAt.getTime());
}

function timeInName(name: string): Date | undefined {
  const [, day, hours, minutes, seconds] = namePattern.exec(name) ?? [];
  const time = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

async function bytesOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}
