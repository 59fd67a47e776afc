import { lutimes, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { advisoryLocks } from "#server/database/advisory-locks";
import { createDatabase, type TestDatabase } from "../../tests/support/database.ts";
import { createDailyBackup, startDailyBackup } from "./daily-backup.ts";

let database: TestDatabase;
let dir: string;
let now: Date;
let lines: { level: string; about: object; text: string }[];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "daily-backup-"));
  now = new Date("2026-11-22T10:00:00Z");
  lines = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const line = (level: string) => (about: unknown, text?: string) =>
  void lines.push({ level, about: about as object, text: text ?? "" });

function daily({ keep = 14, into = dir } = {}) {
  return createDailyBackup({
    owner: database.owner,
    log: { info: line("info"), error: line("error") },
    backup: { dir: into, keep, at: "03:30" },
    now: () => now,
  });
}

const names = async () => (await readdir(dir)).sort();

test("a start tells at once that the directory cannot be written into", async () => {
  const log = { info: line("info"), error: line("error") };
  const missing = join(dir, "missing");
  const backup = startDailyBackup({ owner: database.owner, log, backup: { dir: missing, keep: 2, at: "03:30" } });
  onTestFinished(() => backup.stop());
  await expect
    .poll(() => lines.map(({ about }) => about))
    .toEqual([`BACKUP_DIR cannot be used: ${missing}: it does not exist.`]);
});

test("a missed backup is made at once, then one a day at its time, and the newest stay", async () => {
  await writeFile(join(dir, "backup-by-hand.zip"), "");
  const { look } = daily({ keep: 2 });
  await look();
  expect(lines).toEqual([
    {
      level: "info",
      about: {
        file: join(dir, "backup-2026-11-22T10-00-00Z.zip"),
        bytes: expect.any(Number),
        seconds: expect.any(Number),
      },
      text: "Made the daily backup.",
    },
  ]);
  for (const time of ["2026-11-22T23:59:00Z", "2026-11-23T03:29:59Z", "2026-11-23T03:30:00Z", "2026-11-23T03:31:00Z"]) {
    now = new Date(time);
    await look();
  }
  now = new Date("2026-11-24T05:00:00Z");
  await daily({ keep: 2 }).look();
  expect(await names()).toEqual([
    "backup-2026-11-23T03-30-00Z.zip",
    "backup-2026-11-24T05-00-00Z.zip",
    "backup-by-hand.zip",
  ]);
});

test("several servers on one directory make one backup; what a killed one has left stays in nobody's way", async () => {
  const old = join(dir, "backup.unfinished");
  await writeFile(old, "torn");
  await Promise.all([daily().look(), daily().look()]);
  expect(await names()).toEqual(["backup.unfinished"]);
  await utimes(old, new Date(0), new Date(0));
  await Promise.all([daily().look(), daily().look(), daily().look()]);
  expect(await names()).toEqual(["backup-2026-11-22T10-00-00Z.zip"]);
  expect(lines.map(({ level }) => level)).toEqual(["info"]);
});

test("a server does not remove the file that another one began while it waited to remove an old one", async () => {
  const unfinished = join(dir, "backup.unfinished");
  await writeFile(unfinished, "torn");
  await utimes(unfinished, new Date(0), new Date(0));
  const other = await database.owner.connect();
  await other.query("select pg_advisory_lock($1)", [advisoryLocks.unfinishedBackup]);
  const looking = daily().look();
  const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
  await rm(unfinished);
  await writeFile(unfinished, "of another");
  other.release(true);
  await looking;
  expect(await readFile(unfinished, "utf8")).toBe("of another");
  expect(lines).toEqual([]);
});

test("a clock that was wrong keeps no backup of today away, and costs none", async () => {
  const future = ["backup-2031-01-01T00-00-00Z.zip", "backup.unfinished"];
  for (const name of future) {
    await writeFile(join(dir, name), "");
    await utimes(join(dir, name), new Date("2099-01-01"), new Date("2099-01-01"));
  }
  const { look } = daily({ keep: 1 });
  await look();
  await look();
  expect(await names()).toEqual(["backup-2026-11-22T10-00-00Z.zip", "backup-2031-01-01T00-00-00Z.zip"]);
  expect(lines).toHaveLength(1);

  // A failure of the future does not put off the next attempt until then.
  const into = join(dir, "missing");
  now = new Date("2031-01-01T00:00:00Z");
  const failing = daily({ into });
  await failing.look();
  now = new Date("2026-11-22T10:00:00Z");
  await failing.look();
  expect(lines).toHaveLength(3);
});

test("a server that was silent for long does not pass another one's unfinished file off as its own", async () => {
  const holder = await database.owner.connect();
  await holder.query("begin; lock table contacts");
  const silent = daily().look();
  await expect.poll(names).toEqual(["backup.unfinished"]);
  await rm(join(dir, "backup.unfinished"));
  await writeFile(join(dir, "backup.unfinished"), "half of another");
  holder.release(true);
  await silent;
  expect(await names()).toEqual(["backup.unfinished"]);
  expect(lines).toMatchObject([{ level: "error", about: { err: { message: expect.stringContaining("replaced") } } }]);
});

test("nothing is overwritten or removed through a symbolic link", async () => {
  const outside = await mkdtemp(join(tmpdir(), "daily-backup-outside-"));
  onTestFinished(() => rm(outside, { recursive: true }));
  const victim = join(outside, "victim");
  await writeFile(victim, "precious");
  await symlink(victim, join(dir, "backup-2020-01-01T00-00-00Z.zip"));
  await symlink(join(outside, "made-by-us"), join(dir, "backup.unfinished"));
  await lutimes(join(dir, "backup.unfinished"), new Date(0), new Date(0));
  await daily({ keep: 1 }).look();
  expect(await names()).toEqual(["backup-2026-11-22T10-00-00Z.zip"]);
  expect(await readdir(outside)).toEqual(["victim"]);
  expect(await readFile(victim, "utf8")).toBe("precious");
});

test("a failure is one error, and is tried again within the hour", async () => {
  const into = join(dir, "missing");
  const { look } = daily({ into });
  await look();
  now = new Date("2026-11-22T10:20:00Z");
  await look();
  expect(lines).toMatchObject([{ level: "error", about: { err: { message: expect.stringContaining(into) } } }]);
  now = new Date("2026-11-22T10:31:00Z");
  await look();
  expect(lines).toHaveLength(2);
});

test("a stop abandons the backup that is being made, and leaves no file", async () => {
  const { look, stop } = daily();
  // The backup cannot end before the stop, since it waits for this table.
  const holder = await database.owner.connect();
  await holder.query("begin; lock table contacts");
  const looking = look();
  await expect.poll(names).toEqual(["backup.unfinished"]);
  await stop();
  await looking;
  holder.release(true);
  expect(await names()).toEqual([]);
  expect(lines).toEqual([]);
});
