import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Manifest } from "#operations/backup/manifest";
import { openBackup } from "#operations/backup/read-backup";
import { writeBackup } from "#operations/backup/write-backup";
import { runBackup } from "#operations/commands/backup/run-backup";
import type { Terminal } from "#operations/commands/terminal";
import { admin } from "./admin.ts";
import { startAuth } from "./auth-server.ts";
import { createEmptyDatabase, jobsAtRest, type TestDatabase } from "./database.ts";
import { livedInAccount } from "./lived-in-account.ts";

/** What would break a text of COPY that is not written and read by the same rules. */
export const hostileNote = 'Tab\t, newline\n, return\r, backslash \\ \\N \\. "quoted", Zoë 🦩';

/** The backup of a database that has a row in every table, in a folder of its own. */
export async function createBackupFixture() {
  const server = await startAuth({ limitsAreOn: true });
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  const file = join(folder, "site.zip");
  await livedInAccount(server, (line) => admin(line, { environment: at(server.database) }), "quokka");
  await jobsAtRest(server.database);
  const { owner } = server.database;
  await owner.query("update contacts set note = $1, referrer = 'news.example' where name = 'A'", [hostileNote]);
  await owner.query("select private.add_visits($1)", [JSON.stringify([{ referrer: "news.example", visits: 1 }])]);
  // A sequence without a number left, as in a damaged or forged database, must not come along.
  await owner.query("select setval('private.jobs_id_seq', 9223372036854775807)");
  const { code, out, err } = await run(runBackup, [file], at(server.database));
  if (code !== 0 || !out.includes("5 contacts among them")) throw new Error(out + err);
  return {
    server,
    folder,
    file,
    original: await manifestOf(file),
    /** The rows of a database, as a backup of it tells. */
    async tablesOf({ owner }: Pick<TestDatabase, "owner">) {
      return (await writeBackup(owner, join(folder, `${randomBytes(6).toString("hex")}.zip`))).manifest.tables;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

export const at = ({ url }: TestDatabase) => ({ DATABASE_URL: url });

/** Runs one of the two commands in this process. */
export async function run(
  command: (args: readonly string[], terminal: Partial<Omit<Terminal, "input">>) => Promise<number>,
  args: readonly string[],
  environment: Record<string, string> = {},
) {
  const printed = { out: [] as string[], err: [] as string[] };
  const code = await command(args, {
    environment,
    print: (text) => printed.out.push(text),
    printNote: () => {},
    printError: (error) => printed.err.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  return { code, out: printed.out.join("\n"), err: printed.err.join("\n") };
}

export async function manifestOf(path: string): Promise<Manifest> {
  const backup = await openBackup(path);
  backup.close();
  return backup.manifest;
}

export async function emptyDatabase(create = createEmptyDatabase): Promise<TestDatabase> {
  const database = await create();
  onTestFinished(() => database.drop());
  return database;
}
