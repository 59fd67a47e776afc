import { stat } from "node:fs/promises";
import { findBackupDirProblem, listBackups } from "#operations/backup/backup-files";
import type { Settings } from "#server/settings";
import { broken, countOf, type Finding, findingsOf, look, ok } from "./finding.ts";
import { nearestFolder } from "./machine-checks.ts";

const hour = 60 * 60 * 1000;

/** The newest daily backup is at most this old: a day and the time that it takes. */
const backupHoursMax = 26;

/** Whether there is a new backup, on another disk. Each was read back when it was made. */
export async function checkBackup({ backup, dataDir, databaseUrl }: Settings, now = Date.now()): Promise<Finding[]> {
  if (!backup)
    return [
      look(
        "There is no daily backup: BACKUP_DIR is not set.",
        "Set it to a folder on another disk (docs/operating.md#backups), or see that something else makes one.",
      ),
    ];
  const { dir } = backup;
  const problem = await findBackupDirProblem(dir);
  if (problem !== undefined) return [broken(problem, "Make the folder, and give it to the user who runs the site.")];

  const [newest] = await listBackups(dir, new Date(now));
  const isSameDisk = databaseUrl === undefined && (await deviceOf(dir)) === (await deviceOf(dataDir));
  return findingsOf(
    newest
      ? describeAge(Math.floor((now - newest.madeAt.getTime()) / hour))
      : look(
          `There is no backup in ${dir} yet.`,
          `The server makes one each day at ${backup.at} UTC; npm run backup makes one now.`,
        ),
    isSameDisk &&
      look(
        "BACKUP_DIR is on the same disk as DATA_DIR, and would be lost with it.",
        "Use another disk, or copy the backups to another machine.",
      ),
  );
}

function describeAge(hours: number): Finding {
  if (hours > backupHoursMax)
    return broken(
      `The newest backup is ${hours < 72 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} old.`,
      "The log says why: search it for “backup”. npm run backup makes one now.",
    );
  return ok(`The newest backup is ${hours === 0 ? "less than an hour" : countOf(hours, "hour")} old.`);
}

async function deviceOf(folder: string): Promise<number> {
  return (await stat(await nearestFolder(folder))).dev;
}
