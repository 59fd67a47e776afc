import { mkdir } from "node:fs/promises";

/** Creates a folder and those above it, unless they exist. */
export async function makeFolder(folder: string, { mode }: { mode?: number } = {}): Promise<void> {
  const options = mode === undefined ? {} : { mode };
  await mkdir(folder, { recursive: true, ...options }).catch(async (error: NodeJS.ErrnoException) => {
    // With `recursive`, Node reports a read-only file system as a missing folder.
    if (error.code !== "ENOENT") throw error;
    await mkdir(folder, options);
  });
}
