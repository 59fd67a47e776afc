import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = new Set([".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest", ".xml"]);
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a Brotli and a gzip copy beside every text file, at the highest quality: the server sends these copies. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)));
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
}

async function compressFile(file: string) {
  const body = await readFile(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all([
    brotli(body, quality).then((small) => writeFile(`${file}.br`, small)),
    zip(body, { level: constants.Z_BEST_COMPRESSION }).then((small) => writeFile(`${file}.gz`, small)),
  ]);
}
