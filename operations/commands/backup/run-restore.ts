import type { Pool } from "pg";
import type { TableSummary } from "#operations/backup/manifest";
import { type Backup, openBackup } from "#operations/backup/read-backup";
import { migrationsFor, type RestoreOptions, restoreBackup } from "#operations/backup/restore-backup";
import { restoreContacts } from "#operations/backup/restore-contacts";
import { StartError } from "#process/start-error";
import { migrate } from "#server/database";
import { readSettings } from "#server/settings";
import { nameDatabase, withDatabase } from "../open-for-command.ts";
import { command, createProgress } from "../terminal.ts";

const usage = `Usage:
  npm run restore -- FILE
      fills an empty database, or a new DATA_DIR
  npm run restore -- FILE --send-jobs
      … and lets the next start send the emails and calls that were waiting
  npm run restore -- FILE --contacts-only
      adds the contacts to a database, also a hosted project's`;

const options = {
  "contacts-only": { type: "boolean", default: false },
  "send-jobs": { type: "boolean", default: false },
} as const;

export const runRestore = command(
  { usage, options, words: [1, 1] },
  async ({ values, words: [file = ""] }, { environment, print, printNote }, shutdown) => {
    const settings = readSettings(environment);
    printNote(`Database: ${nameDatabase(settings)}`);
    const progress = createProgress(printNote);
    const backup = await openBackup(file, progress);
    try {
      const isShared = settings.databaseUrl !== undefined;
      const migrations = values["contacts-only"] ? {} : migrationsFor(backup.manifest, { isShared, progress });
      const text = await withDatabase(settings, shutdown, migrations, ({ owner, isServed }) => {
        if (values["contacts-only"]) return addContacts(owner, backup, { progress });
        if (isShared || !isServed)
          return fillDatabase(owner, backup, { sendsJobs: values["send-jobs"], progress, note: printNote });
        throw new StartError(`A server is running on ${settings.dataDir}: stop it first, or name a new DATA_DIR.`);
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
  { note, ...options }: RestoreOptions & { note: (text: string) => void },
) {
  const { tables, foreign, jobs } = await restoreBackup(owner, backup, options);
  await migrate(owner, { info() {}, warn: (line: unknown) => note(String(line)) });
  const fate = options.sendsJobs
    ? "A server sends them when it starts on this database."
    : "They are held: the inbox shows them, and “Try again” there sends them.";
  return [
    ...writeTable(tables),
    "",
    `Restored as of ${backup.manifest.takenAt}: the counts and checksums of file and database are equal.`,
    ...foreign.map((name) => `Not restored, because no migration makes it: ${name}.`),
    ...(jobs > 0 ? [`Emails and calls that were waiting then: ${jobs}. ${fate}`] : []),
  ].join("\n");
}

async function addContacts(owner: Pool, backup: Backup, options: RestoreOptions) {
  const added = await restoreContacts(owner, backup, options);
  return `Added ${added.toLocaleString("en-GB")} contacts with their notes and states, and announced none of them. Contacts that were there already, accounts and roles stay as they were, and with them who may read the contacts.`;
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
