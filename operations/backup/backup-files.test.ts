import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { backupName, listBackups } from "./backup-files.ts";

test("listBackups lists complete backups only, newest first, and none of the future", async () => {
  const dir = await temporaryFolder();
  try {
    const [older, newer] = [new Date("2026-11-21T03:30:00Z"), new Date("2026-11-22T03:30:01Z")];
    expect(backupName(newer)).toBe("backup-2026-11-22T03-30-01Z.zip");
    await writeFile(join(dir, backupName(older)), "12345");
    await writeFile(join(dir, backupName(newer)), "123");
    await writeFile(join(dir, `${backupName(newer)}.unfinished`), "");
    await writeFile(join(dir, "backup-before-update.zip"), "");
    await writeFile(join(dir, "backup-2026-99-22T03-30-01Z.zip"), "");
    await mkdir(join(dir, "backup-2026-11-23T03-30-00Z.zip"));
    await writeFile(join(dir, "backup-2031-01-01T00-00-00Z.zip"), "");
    expect(await listBackups(dir, newer)).toEqual([
      { file: join(dir, backupName(newer)), madeAt: newer, bytes: 3 },
      { file: join(dir, backupName(older)), madeAt: older, bytes: 5 },
    ]);
    expect(await listBackups(join(dir, "missing"))).toEqual([]);
  } finally {
  }
});
