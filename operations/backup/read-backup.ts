import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { explainFileError, StartError } from "#process/start-error";
import { type Progress, summarize } from "./copy-tables.ts";
import { entryName, type Manifest, manifestName, manifestSchema, type TableSummary } from "./manifest.ts";

/** More than any manifest has; a larger entry of this name is not one. */
const manifestBytesMax = 16 * 1024 * 1024;

export interface Backup {
  manifest: Manifest;
  /** The text of COPY with the rows of this table. */
  read(table: TableSummary): Promise<Readable>;
  close(): void;
}

/**
 * Opens a backup after it has read all of it and compared every count and checksum, so that a torn or changed file is
 * refused before anything is done with it. Throws a `StartError` with the reason.
 */
export async function openBackup(file: string, progress: Progress = () => {}): Promise<Backup> {
  const zip = await openZip(file);
  try {
    const backup = await readManifest(zip);
    for (const table of backup.manifest.tables) {
      const found = await summarize(await backup.read(table), table, `Reading ${table.name}`, progress);
      if (found.rows !== table.rows || found.checksum !== table.checksum) throw new Error(`${table.name} has changed`);
    }
    return backup;
  } catch (error) {
    zip.close();
    throw readProblem(error, file);
  }
}

async function openZip(file: string): Promise<ZipFile> {
  // A named pipe would be waited for without end.
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile() && !found.isDirectory()) throw new StartError(`${file} is not a file.`);
  return openPromise(file, { autoClose: false }).catch((error) => {
    throw readProblem(error, file);
  });
}

async function readManifest(zip: ZipFile): Promise<Backup> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const entry = entries.get(manifestName);
  if (!entry || entry.uncompressedSize > manifestBytesMax) throw new Error("it has no manifest");
  const text = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(text) !== entry.crc32) throw new Error("its manifest has changed");
  const manifest = parseManifest(text.toString());
  return {
    manifest,
    async read({ name }) {
      const found = entries.get(entryName(name));
      if (!found) throw new Error(`${name} is missing`);
      return zip.openReadStreamPromise(found);
    },
    close: () => zip.close(),
  };
}

function parseManifest(text: string): Manifest {
  const parsed = JSON.parse(text) as Partial<Manifest> | null;
  if (parsed?.format === "fernway-backup" && parsed.version !== 2)
    throw new StartError(
      `The backup has format ${parsed.version}, and this code reads format 2: use the code that wrote it.`,
    );
  const { success, data } = manifestSchema.safeParse(parsed);
  if (!success) throw new Error("its manifest is not a backup's");
  return data;
}

/** Errors of the ZIP reader and of zlib mean the same to an operator. */
function readProblem(error: unknown, file: string): unknown {
  const problem = explainFileError(`${file} cannot be read`, error);
  if (problem instanceof StartError) return problem;
  const reason = (error as Error).message.replace(/\.$/, "");
  return new StartError(`${file} is not a complete backup: ${reason}. Use another one.`, error);
}
