import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFinished } from "./on-finished.ts";

/** A new folder, until the end of the test or file that makes it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "test-")));
  // A process that was killed may write for a moment longer.
  onFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
