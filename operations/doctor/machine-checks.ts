import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { version } from "#process/version";
import type { Settings } from "#server/settings";
import { broken, type Finding, look, ok } from "./finding.ts";

const megabyte = 1024 * 1024;

/** Free space in megabytes: below the first a person should look, below the second writes are about to fail. */
const freeMin = { look: 1024, broken: 200 };

/** The machine that the doctor runs on, which is that of the server. */
export async function checkMachine({ dataDir, buildDir, backup, databaseUrl, hostedUrl }: Settings) {
  const folders = {
    ...(databaseUrl === undefined && hostedUrl === undefined && { DATA_DIR: dataDir }),
    BUILD_DIR: buildDir,
    ...(backup && { BACKUP_DIR: backup.dir }),
  };
  return [
    ...(await checkDisks(folders)),
    process.getuid?.() === 0
      ? look(
          "This runs as root. If the server does too, a fault in it opens the whole machine.",
          "Run it as a user of its own.",
        )
      : ok(`Version ${version} on Node ${process.versions.node}, as an ordinary user.`),
  ];
}

/** The folder, or the one in which it would be made. */
export async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).catch(() => undefined);
  return isThere || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function checkDisks(folders: Record<string, string>): Promise<Finding[]> {
  const disks = new Map<number, { names: string[]; free: number }>();
  for (const [name, folder] of Object.entries(folders)) {
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
