import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { listBackups } from "#server/backup/backup-files";
import { openBackup } from "#server/backup/read-backup";
import type { Settings } from "#server/settings";
import { describeFileError } from "#server/start-error";
import { broken, countOf, type Finding, look, ok } from "./finding.ts";

const hour = 60 * 60 * 1000;
const megabyte = 1024 * 1024;

/** A daily backup is at most this old; it may take its time. */
const backupHoursMax = 26;

function sizeOf(bytes: number): string {
  return bytes < megabyte ? `${Math.ceil(bytes / 1024)} KB` : `${Math.ceil(bytes / megabyte)} MB`;
}

/** A larger backup takes longer to read than a check may. */
const readBytesMax = 300 * megabyte;

/** Whether the newest backup could be restored: reads it and compares its checksums. */
export async function checkNewestBackup({ backup }: Pick<Settings, "backup">): Promise<Finding[]> {
  const [newest] = backup ? await listBackups(backup.dir).catch(() => []) : [];
  if (!newest || newest.bytes > readBytesMax) return [];
  try {
    const { manifest, close } = await openBackup(newest.file);
    close();
    const rows = manifest.tables.find(({ name }) => name === "public.contacts")?.rows ?? 0;
    return [ok(`The newest backup is complete, with ${countOf(rows, "contact")}.`)];
  } catch (error) {
    return [
      broken(
        `The newest backup cannot be restored: ${(error as Error).message}`,
        "Keep the older ones, and make a new one: npm run backup.",
      ),
    ];
  }
}

/** The daily backup and its age. */
export async function checkBackup({ backup, dataDir, databaseUrl }: Settings, now = Date.now()): Promise<Finding[]> {
  if (!backup)
    return [
      look(
        "There is no daily backup: BACKUP_DIR is not set.",
        "Set it to a folder on another disk (docs/operating.md), or see that something else makes one.",
      ),
    ];
  const { dir } = backup;
  const problem = await access(dir, constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: unknown) => describeFileError(error) ?? String(error),
  );
  if (problem !== undefined)
    return [
      broken(
        `BACKUP_DIR cannot be used: ${dir}: ${problem}.`,
        "Make the folder, and give it to the user who runs the site.",
      ),
    ];

  const [newest] = await listBackups(dir);
  const hours = newest ? Math.floor((now - newest.madeAt.getTime()) / hour) : undefined;
  const isSameDisk = databaseUrl === undefined && (await deviceOf(dir)) === (await deviceOf(dataDir));
  return [
    hours === undefined
      ? look(
          `There is no backup in ${dir} yet.`,
          `The server makes one each day at ${backup.at} UTC; npm run backup makes one now.`,
        )
      : hours > backupHoursMax
        ? broken(
            `The newest backup is ${hours < 72 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} old.`,
            "The log says why: search it for “backup”. npm run backup makes one now.",
          )
        : ok(
            `The newest backup is ${hours === 0 ? "less than an hour" : hours === 1 ? "one hour" : `${hours} hours`} old (${sizeOf(newest?.bytes ?? 0)}).`,
          ),
    ...(isSameDisk
      ? [
          look(
            "BACKUP_DIR is on the same disk as DATA_DIR, and would be lost with it.",
            "Use another disk, or copy the backups to another machine.",
          ),
        ]
      : []),
  ];
}

/** Free space in megabytes: below the first a person should look, below the second writes are about to fail. */
const freeMin = { look: 1024, broken: 200 };

/** The machine that the doctor runs on, which is that of the server. */
export async function checkMachine({
  dataDir,
  buildDir,
  backup,
  databaseUrl,
  hostedUrl,
}: Settings): Promise<Finding[]> {
  const usesData = databaseUrl === undefined && hostedUrl === undefined;
  const folders = [
    ...(usesData ? [["DATA_DIR", dataDir] as const] : []),
    ["BUILD_DIR", buildDir] as const,
    ...(backup ? [["BACKUP_DIR", backup.dir] as const] : []),
  ];
  return [
    ...(await checkDisks(folders)),
    ...(usesData ? await checkMode(dataDir) : []),
    process.getuid?.() === 0
      ? look(
          "This runs as root. If the server does too, a fault in it opens the whole machine.",
          "Run it as a user of its own.",
        )
      : ok(`Node ${process.versions.node}, as an ordinary user.`),
  ];
}

async function checkDisks(folders: readonly (readonly [string, string])[]): Promise<Finding[]> {
  const disks = new Map<number, { names: string[]; free: number }>();
  for (const [name, folder] of folders) {
    const existing = await nearestFolder(folder);
    const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(existing), stat(existing)]);
    const disk = disks.get(dev) ?? { names: [], free: (bavail * bsize) / megabyte };
    disks.set(dev, disk);
    disk.names.push(name);
  }
  return [...disks.values()].map(describeDisk);
}

export function describeDisk({ names, free }: { names: readonly string[]; free: number }): Finding {
  const left = free < freeMin.look ? `only ${Math.floor(free)} MB` : `${(free / 1024).toFixed(1)} GB`;
  const saw = `The disk of ${names.join(", ")} has ${left} left.`;
  const todo = "Make room: when it is full, contacts are refused.";
  if (free < freeMin.broken) return broken(saw, todo);
  return free < freeMin.look ? look(saw, todo) : ok(saw);
}

async function checkMode(dataDir: string): Promise<Finding[]> {
  const found = await stat(dataDir).catch(() => undefined);
  if (process.platform === "win32" || !found || (found.mode & 0o077) === 0) return [];
  return [
    look(
      `Other users of this machine may enter DATA_DIR (its mode is ${(found.mode & 0o777).toString(8)}).`,
      `chmod 700 ${dataDir}`,
    ),
  ];
}

async function deviceOf(folder: string): Promise<number> {
  return (await stat(await nearestFolder(folder))).dev;
}

/** The folder, or the one in which it would be made. */
async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
