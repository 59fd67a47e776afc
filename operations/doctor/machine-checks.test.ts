import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSettings } from "#server/settings";
import { look } from "./finding.ts";
import { checkMachine, describeDisk } from "./machine-checks.ts";

test("a disk that is nearly full is to be looked at, and one that is full is broken", () => {
  const levelOf = (free: number) => describeDisk({ names: ["DATA_DIR"], free }).level;
  expect([levelOf(50_000), levelOf(900), levelOf(100)]).toEqual(["ok", "look", "BROKEN"]);
  expect(describeDisk({ names: ["DATA_DIR"], free: 900 })).toEqual(
    look("The disk of DATA_DIR has only 900 MB left.", "Make room: when it is full, contacts are refused."),
  );
});

test.skipIf(process.platform === "win32")("a data folder that only a group may enter is told too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "machine-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const isTold = async () =>
    (await checkMachine(readSettings({ DATA_DIR: folder }))).some(({ saw }) => saw.includes("may enter DATA_DIR"));
  expect(await isTold()).toBe(false);
  await chmod(folder, 0o750);
  expect(await isTold()).toBe(true);
});
