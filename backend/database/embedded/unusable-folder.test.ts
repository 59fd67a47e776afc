import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { StartError } from "#process/start-error";
import { silentLog as log } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { lastError } from "./cluster.ts";
import { hasEmbeddedData, startEmbedded } from "./embedded-postgres.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "");
});

test.skipIf(process.platform === "win32")(
  "a folder and the data of another user are refused in one sentence",
  async () => {
    await mkdir(join(folder, "postgres"));
    await chmod(folder, 0o500);
    await asOrdinaryUser(async () => {
      const dataDir = join(folder, "site/data");
      await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
        new StartError(`The data folder ${dataDir} (DATA_DIR) cannot be used: this user may not do that.`),
      );
    });
    await chmod(folder, 0o000);
    await asOrdinaryUser(async () => {
      const message =
        /^The (PostgreSQL in .* belongs to another user: run this as that user, or let root give it to this one \(chown -R\)|data folder .* \(DATA_DIR\) cannot be used: this user may not do that)\.$/;
      expect(() => hasEmbeddedData(folder)).toThrow(message);
    });
    await chmod(folder, 0o700);
  },
);

test("a data folder with a file in the way is refused in one sentence", async () => {
  for (const dataDir of [join(folder, "file"), join(folder, "file/data")]) {
    await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
      new StartError(`The data folder ${dataDir} (DATA_DIR) cannot be used: a file is where a folder should be.`),
    );
  }
});

test("lastError finds the reason in the output of PostgreSQL's programs", () => {
  const full = `2026-11-22 14:39:54.299 UTC [16844] FATAL:  could not write to file "pg_wal/xlogtemp.16844": No space left on device
child process exited with exit code 1
initdb: removing data directory "/srv/site/.data/postgres.draft-1"
`;
  expect(lastError(full)).toBe('could not write to file "pg_wal/xlogtemp.16844": No space left on device');
  expect(lastError('initdb: error: could not access directory "x"\n')).toBe('could not access directory "x"');
  expect(lastError("killed\n")).toBe("killed");
  expect(lastError("")).toBe("it said nothing");
});

/** Root may do everything, so root's files are tried as another user. */
async function asOrdinaryUser(work: () => Promise<void>) {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
