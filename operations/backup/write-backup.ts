import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import type { ClientBase, Pool } from "pg";
import { ZipFile } from "yazl";
import { onOwnConnection } from "#backend/database/connections";
import { readMigrationState } from "#backend/database/migrations";
import { explainFileError, StartError } from "#process/start-error";
import { version } from "#process/version";
import {
  allSchemas,
  beginCopying,
  copyOut,
  explainCopyError,
  type Progress,
  readTables,
  rowCounter,
} from "./copy-tables.ts";
import { entryName, type Manifest, manifestName, type TableSummary } from "./manifest.ts";
import { openBackup } from "./read-backup.ts";

const dayMilliseconds = 24 * 60 * 60 * 1000;

export interface WriteOptions {
  progress?: Progress;
  /** An abort ends the backup, and nothing of it stays. */
  signal?: AbortSignal;
}

export interface WrittenBackup {
  manifest: Manifest;
  bytes: number;
}

/**
 * Writes all rows of one moment into a ZIP file (docs/operating.md#backups). The file gets its name when all of it is on
 * the disk and was read back as a restore reads it, so that no file of this name is ever incomplete. Only its owner can
 * read it, since it holds secrets.
 */
export async function writeBackup(owner: Pool, file: string, options: WriteOptions = {}): Promise<WrittenBackup> {
  await refuseOverwriting(file);
  const unfinished = `${file}.unfinished-${randomBytes(4).toString("hex")}`;
  const output = await open(unfinished, "wx", 0o600).catch((error) => {
    throw explainFileError(`No backup can be written into ${dirname(file)}`, error);
  });
  try {
    const manifest = await copyInto(output, owner, options);
    await openBackup(unfinished, (...done) => {
      options.signal?.throwIfAborted();
      return options.progress?.(...done);
    }).then(({ close }) => close(), explainUnreadable);
    const { size: bytes } = await stat(unfinished);
    await refuseOverwriting(file);
    await rename(unfinished, file);
    await syncDirectory(dirname(file));
    await removeUnfinished(dirname(file));
    return { manifest, bytes };
  } catch (error) {
    await output.close().catch(() => {});
    await rm(unfinished, { force: true });
    const explained = explainCopyError("PostgreSQL ended the backup", error);
    throw explained === error ? explainFileError(`${file} cannot be written`, error) : explained;
  }
}

function copyInto(output: FileHandle, owner: Pool, { progress = () => {}, signal }: WriteOptions): Promise<Manifest> {
  return onOwnConnection(owner, async (db) => {
    const zip = new ZipFile();
    const failing = new Promise<never>((_, reject) => zip.once("error", reject));
    const written = pipeline(zip.outputStream, output.createWriteStream({ flush: true }), { signal });
    const [manifest] = await Promise.all([Promise.race([fill(zip, db, progress), failing]), written]);
    await refuseMigrated(db, manifest);
    return manifest;
  });
}

/** To a transaction that began before, a table that a migration rewrites is empty (PostgreSQL: caveats of MVCC). */
async function refuseMigrated(db: ClientBase, { migrations }: Manifest) {
  const { versions } = await readMigrationState(db);
  if (isDeepStrictEqual(versions, migrations)) return;
  throw new StartError("The database was migrated during the backup, so nothing was written: make another one.");
}

/** Adds an entry per table, one after the other, and the manifest. */
async function fill(zip: ZipFile, db: ClientBase, progress: Progress): Promise<Manifest> {
  await beginCopying(db, "isolation level repeatable read, read only");
  const { rows: moments } = await db.query("select now() as taken_at, current_setting('server_version') as postgres");
  const [{ taken_at: takenAt, postgres }] = moments;
  const options = { mtime: takenAt, mode: 0o600 };
  const { isHosted, versions } = await readMigrationState(db);
  // The accounts of a hosted project are the project's. Our rows in it are the contacts and the roles.
  const schemas = isHosted ? ["public", "private"] : allSchemas;
  const tables: TableSummary[] = [];
  for (const table of await readTables(db, schemas)) {
    const { count, result } = rowCounter(`Writing ${table.name}`, progress);
    const text = new PassThrough();
    zip.addReadStream(text, entryName(table.name), options);
    await pipeline(copyOut(db, table), count, text);
    tables.push({ name: table.name, columns: table.columns, ...result() });
  }
  const manifest: Manifest = {
    format: "fernway-backup",
    version: 2,
    takenAt: takenAt.toISOString(),
    writtenBy: version,
    postgres,
    migrations: versions,
    tables,
  };
  await db.query("commit");
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, undefined, 2)), manifestName, options);
  zip.end();
  return manifest;
}

function explainUnreadable(error: Error): never {
  const { message } = (error.cause ?? error) as Error;
  throw new StartError(`The backup could not be read back, so nothing of it is kept: ${message}.`, error);
}

/** Removes what killed commands have left of dated backups. */
async function removeUnfinished(dir: string) {
  for (const name of await readdir(dir)) {
    if (!/^backup-[\dTZ-]+\.zip\.unfinished-\w+$/.test(name)) continue;
    const found = await lstat(join(dir, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > dayMilliseconds) await rm(join(dir, name), { force: true });
  }
}

/** Makes the new name survive a loss of power. Windows cannot open a directory, and does this itself. */
async function syncDirectory(dir: string) {
  const opened = await open(dir).catch(() => undefined);
  await opened?.sync().catch(() => {});
  await opened?.close();
}

async function refuseOverwriting(file: string) {
  const found = await stat(file).catch(() => undefined);
  if (found) throw new StartError(`${file} already exists, and nothing is overwritten.`);
}
