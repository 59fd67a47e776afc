import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backupName } from "#operations/backup/backup-files";
import { readSettings } from "#server/settings";
import { linesOf } from "#tests/support/findings";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { checkBackup } from "./backup-checks.ts";

test("a backup may be a day and two hours old, and an older one is broken", async () => {
  const folder = await temporaryFolder();
  const madeAt = new Date("2026-11-22T03:30:00Z");
  await writeFile(join(folder, backupName(madeAt)), "");
  const settings = readSettings({ BACKUP_DIR: folder, DATABASE_URL: "postgres://elsewhere/site" });
  const after = async (hours: number) =>
    linesOf(await checkBackup(settings, madeAt.getTime() + hours * 60 * 60 * 1000));
  expect([await after(0.5), await after(26), await after(27), await after(73)].flat()).toEqual([
    "ok The newest backup is less than an hour old.",
    "ok The newest backup is 26 hours old.",
    "BROKEN The newest backup is 27 hours old.",
    "BROKEN The newest backup is 3 days old.",
  ]);
});
