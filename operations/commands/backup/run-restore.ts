import type { Pool } from "pg";
import { migrate } from "#backend/database/migrate";
import type { TableSummary } from "#operations/backup/manifest";
import { type Backup, openBackup } from "#operations/backup/read-backup";
import { migrationsFor, restoreBackup } from "#operations/backup/restore-backup";
import { CommandError } from "#operations/commands/report-problem";
import { readSettings } from "#server/settings";
import { nameDatabase, withDatabase } from "../open-for-command.ts";
import { command } from "../terminal.ts";

const usage = `Usage:
  npm run restore -- FILE
      fills an empty database, or a new DATA_DIR
  npm run restore -- FILE --send-jobs
      … and lets the next start send the emails and calls that were waiting`;

export const runRestore = command(
  { usage, options: { "send-jobs": { type: "boolean", default: false } }, words: [1, 1] },
  async ({ values, words: [file = ""] }, { environment, print, printNote }, shutdown) => {
    const settings = readSettings(environment);
    printNote(`Database: ${nameDatabase(settings)}`);
    const backup = await openBackup(file);
    try {
      const migrations = migrationsFor(backup.manifest);
      const text = await withDatabase(settings, shutdown, migrations, ({ owner, isServed }) => {
        if (settings.databaseUrl === undefined && isServed)
          throw new CommandError(`A server is running on ${settings.dataDir}: stop it first, or name a new DATA_DIR.`);
        return fillDatabase(owner, backup, { sendsJobs: values["send-jobs"], note: printNote });
      });
      print(text);
    } finally {
      backup.close();
    }
  },
);

async function fillDatabase(
  owner: Pool,
  backup: Backup,
  { sendsJobs, note }: { sendsJobs: boolean; note: (text: string) => void },
) {
  const { tables, foreign, jobs } = await restoreBackup(owner, backup, { sendsJobs });
  await migrate(owner, { info() {}, warn: (line: unknown) => note(String(line)) });
  const fate = sendsJobs
    ? "A server sends them when it starts on this database."
    : "They are held: the inbox shows them, and “Try again” there sends them.";
  return [
    ...writeTable(tables),
    "",
    `Restored as of ${backup.manifest.takenAt}: the counts and checksums of file and database are equal.`,
    ...foreign.map((name) => `Not restored, because no migration makes it: ${name}.`),
    ...(jobs > 0 ? [`Emails and calls that were waiting then: ${jobs}. ${fate}`] : []),
    "Start the site now, or restart it if it was running on this database.",
  ].join("\n");
}

function writeTable(tables: readonly TableSummary[]): string[] {
  const width = Math.max(...tables.map(({ name }) => name.length));
  return [
    `${"table".padEnd(width)}  ${"rows".padStart(11)}  SHA-256 begins with`,
    ...tables.map(({ name, rows, checksum }) =>
      [name.padEnd(width), rows.toLocaleString("en-GB").padStart(11), checksum.slice(0, 16)].join("  "),
    ),
  ];
}
