import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Manifest } from "#operations/backup/manifest";
import { openBackup } from "#operations/backup/read-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { runBackup } from "#operations/commands/backup/run-backup";
import { startAuth } from "./auth-server.ts";
import { jobsAtRest, type TestDatabase } from "./database.ts";
import { livedInAccount } from "./lived-in-account.ts";
import { admin, runCommand } from "./run-command.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What would break a text of COPY that is not written and read by the same rules. */
export const hostileNote = 'Tab\t, newline\n, return\r, backslash \\ \\N \\. "quoted", Zoë 🦩';

/** The backup of a database that has a row in every table, in a folder of its own. */
export async function createBackupFixture() {
  const server = await startAuth({ limitsAreOn: true });
  const folder = await temporaryFolder();
  const file = join(folder, "site.zip");
  await livedInAccount(server, (line) => admin(line, { environment: at(server.database) }), "quokka");
  await jobsAtRest(server.database);
  const { owner } = server.database;
  await owner.query("update contacts set note = $1, referrer = 'news.example' where name = 'A'", [hostileNote]);
  await owner.query("select private.add_visits($1)", [JSON.stringify([{ referrer: "news.example", visits: 1 }])]);
  // A sequence without a number left, as in a damaged or forged database, must not come along.
  await owner.query("select setval('private.jobs_id_seq', 9223372036854775807)");
  const { code, out, err } = await run(runBackup, [file], at(server.database));
  if (code !== 0 || !out.includes("6 contacts among them")) throw new Error(out + err);
  return {
    server,
    folder,
    file,
    original: await manifestOf(file),
    /** The rows of a database, as a backup of it tells. */
    async tablesOf({ owner }: Pick<TestDatabase, "owner">) {
      return (await writeBackup(owner, join(folder, `${randomBytes(6).toString("hex")}.zip`))).manifest.tables;
    },
  };
}

export const at = ({ url }: TestDatabase) => ({ DATABASE_URL: url });

/** Runs one of the two commands in this process. */
export const run = (
  command: Parameters<typeof runCommand>[0],
  args: readonly string[],
  environment: Record<string, string> = {},
) => runCommand(command, args, { environment });

export async function manifestOf(path: string): Promise<Manifest> {
  const backup = await openBackup(path);
  backup.close();
  return backup.manifest;
}
