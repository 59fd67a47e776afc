import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Creates a folder and those above it, unless they exist. */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  await mkdir(folder, { recursive: true, mode }).catch(async (error: NodeJS.ErrnoException) => {
    // With `recursive`, Node reports a read-only file system as a missing folder.
    if (error.code !== "ENOENT" || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), mode);
    await mkdir(folder, mode);
  });
}
