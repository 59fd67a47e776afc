import { join, resolve } from "node:path";
import type { Pool } from "pg";
import { backupName } from "#operations/backup/backup-files";
import type { Progress } from "#operations/backup/copy-tables";
import type { Manifest } from "#operations/backup/manifest";
import { openBackup } from "#operations/backup/read-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { type Shutdown, stopDeadlineSeconds } from "#process/shutdown";
import { StartError } from "#process/start-error";
import { readSettings } from "#server/settings";
import { nameDatabase, withDatabase } from "../open-for-command.ts";
import { command, createProgress } from "../terminal.ts";

const usage = `Usage:
  npm run backup
      writes a dated file into BACKUP_DIR, or here without it
  npm run backup -- FILE
      writes this file
  npm run backup -- --check FILE
      reads a backup and compares its counts and checksums`;

export const runBackup = command(
  { usage, options: { check: { type: "boolean", default: false } }, words: [0, 1] },
  async ({ values, words: [file] }, { environment, print, printNote }, shutdown) => {
    const progress = createProgress(printNote);
    if (values.check) {
      if (!file) throw new StartError(usage);
      return print(await checkFile(file, progress));
    }
    const settings = readSettings(environment);
    printNote(`Database: ${nameDatabase(settings)}`);
    const written = resolve(file ?? join(settings.backup?.dir ?? ".", backupName(new Date())));
    // The database stays as it is: a backup before an update must not update.
    const text = await withDatabase(settings, shutdown, { only: "none", mustExist: true }, ({ owner }) =>
      backUp(owner, written, { progress, shutdown }),
    );
    print(text);
  },
);

async function backUp(owner: Pool, file: string, { progress, shutdown }: { progress: Progress; shutdown: Shutdown }) {
  const began = performance.now();
  const writing = writeBackup(owner, file, { progress, signal: shutdown.signal });
  // An abandoned backup removes its unfinished file.
  const close = () => writing.catch(() => {});
  shutdown.add({ name: "the backup", deadlineSeconds: stopDeadlineSeconds.work, close });
  const { manifest, bytes } = await writing;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return [
    `${file}: ${describe(manifest)}, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s.`,
    "It holds all secrets of the database: keep it where only you can read it.",
  ].join("\n");
}

async function checkFile(file: string, progress: Progress) {
  const backup = await openBackup(file, progress);
  backup.close();
  const { takenAt, postgres } = backup.manifest;
  return `${file} is complete: ${describe(backup.manifest)}, as they were at ${takenAt} in PostgreSQL ${postgres}.`;
}

function describe({ tables }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const contacts = tables.find(({ name }) => name === "public.contacts")?.rows ?? 0;
  return `${rows.toLocaleString("en-GB")} rows of ${tables.length} tables, ${contacts === 1 ? "one contact" : `${contacts.toLocaleString("en-GB")} contacts`} among them`;
}
