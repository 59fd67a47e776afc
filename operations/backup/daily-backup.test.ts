import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { Worker } from "#server/jobs/worker";
import { onFinished } from "#tests/support/on-finished";
import { createQueueFixture, type QueueFixture } from "#tests/support/queue-fixture";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { dailyBackup } from "./daily-backup.ts";

let fixture: QueueFixture;
let dir: string;
let now: Date;
let lines: { level: string; about: object; text: string }[];
beforeEach(async () => {
  fixture = await createQueueFixture();
  dir = await temporaryFolder();
  now = new Date("2026-11-22T10:00:00Z");
  lines = [];
});

const line = (level: string) => (about: unknown, text?: string) =>
  void lines.push({ level, about: about as object, text: text ?? "" });

function options({
  keep = 14,
  into = dir,
  at = "03:30",
  owner = fixture.database.owner,
  clock = async () => now,
} = {}) {
  const log = { info: line("info"), error: line("error") };
  return { owner, log, backup: { dir: into, keep, at }, now: clock };
}

const schedule = (changed: Parameters<typeof options>[0] = {}) => dailyBackup(options(changed)).schedule();

/** Starts the queue of one server that makes backups. */
function start(changed: Parameters<typeof options>[0] = {}) {
  const { owner, ...rest } = options(changed);
  const queue = new Worker({ owner, log: silentLog, tasks: dailyBackup({ owner, ...rest }).tasks });
  onFinished(() => queue.stop());
  return queue;
}

const names = async () => (await readdir(dir)).sort();

/** In how many minutes the waiting jobs are due. */
async function minutes(): Promise<number[]> {
  const { rows } = await fixture.database.owner.query(
    `select round(extract(epoch from run_at - now()) / 60)::integer as minutes from private.jobs
     where task = 'make-daily-backup' and leased_by is null`,
  );
  return rows.map((row) => row.minutes);
}

/** Makes the waiting job due, and resolves when the next one waits. */
async function runJob() {
  await fixture.database.owner.query("update private.jobs set run_at = now() where task = 'make-daily-backup'");
  await expect.poll(minutes).toEqual([expect.any(Number)]);
  await expect.poll(async () => (await minutes())[0]).toBeGreaterThan(0);
}

test("a start tells at once that the directory cannot be written into", async () => {
  const missing = join(dir, "missing");
  await schedule({ into: missing });
  expect(lines.map(({ about }) => about)).toEqual([`BACKUP_DIR cannot be used: ${missing}: it does not exist.`]);
});

test("a missed backup is made at once, then one a day at its time, and the newest stay", async () => {
  await writeFile(join(dir, "backup-by-hand.zip"), "");
  await schedule();
  expect(await minutes()).toEqual([0]);
  start({ keep: 2 });
  await runJob();
  const file = join(dir, "backup-2026-11-22T10-00-00Z.zip");
  const about = { file, bytes: expect.any(Number), seconds: expect.any(Number) };
  expect(lines).toEqual([{ level: "info", about, text: "Made the daily backup." }]);
  expect(await minutes()).toEqual([17 * 60 + 30]);

  // A restart makes no other one, and a new time of day counts from then on.
  await schedule();
  expect(await minutes()).toEqual([17 * 60 + 30]);
  await schedule({ at: "09:00" });
  expect(await minutes()).toEqual([23 * 60]);
  await schedule({ at: "11:00" });
  expect(await minutes()).toEqual([60]);

  for (const time of ["2026-11-23T03:30:01Z", "2026-11-24T05:00:00Z"]) {
    now = new Date(time);
    await runJob();
  }
  expect(await names()).toEqual([
    "backup-2026-11-23T03-30-01Z.zip",
    "backup-2026-11-24T05-00-00Z.zip",
    "backup-by-hand.zip",
  ]);
});

test("several servers on one directory make one backup; one without the setting leaves it to them", async () => {
  const other = fixture.connectOther();
  const without = new Worker({ owner: fixture.connectOther(), log: silentLog, tasks: {} });
  onFinished(() => without.stop());
  await schedule();
  const { rows } = await fixture.database.owner.query("update private.jobs set run_at = now() returning id");
  expect(rows).toHaveLength(1);
  start();
  start({ owner: other });
  await Promise.all([schedule(), schedule({ owner: other })]);
  await runJob();
  expect(await names()).toEqual(["backup-2026-11-22T10-00-00Z.zip"]);
  expect(lines.map(({ level }) => level)).toEqual(["info"]);
});

test("a clock that was wrong keeps no backup of today away, and costs none", async () => {
  const future = join(dir, "backup-2031-01-01T00-00-00Z.zip");
  await writeFile(future, "");
  await utimes(future, new Date("2099-01-01"), new Date("2099-01-01"));
  await schedule();
  expect(await minutes()).toEqual([0]);
  start({ keep: 1 });
  await runJob();
  expect(await names()).toEqual(["backup-2026-11-22T10-00-00Z.zip", "backup-2031-01-01T00-00-00Z.zip"]);
});

test("a failure is one error, and is tried again after half an hour", async () => {
  const into = join(dir, "missing");
  await schedule();
  start({ into });
  await runJob();
  expect(lines).toMatchObject([{ level: "error", about: { err: { message: expect.stringContaining(into) } } }]);
  expect(await minutes()).toEqual([30]);
});

test("a database that is away after a good backup costs no second one", async () => {
  await schedule();
  let times = 0;
  const clock = async () => {
    times += 1;
    if (times > 1) throw new Error("PostgreSQL is away.");
    return now;
  };
  start({ clock });
  await runJob();
  expect(lines.map(({ level }) => level)).toEqual(["info"]);
  expect(await minutes()).toEqual([17 * 60 + 30]);
});

test("a stop abandons the backup that is being made, and leaves no file and a job that is due", async () => {
  await schedule();
  const queue = start();
  // The backup cannot end before the stop, since it waits for this table.
  const holder = await fixture.database.owner.connect();
  await holder.query("begin; lock table contacts");
  await holder.query("update private.jobs set run_at = now()");
  await holder.query("commit; begin; lock table contacts");
  await expect.poll(names).toEqual([expect.stringContaining(".unfinished-")]);
  await queue.stop();
  holder.release(true);
  expect(await names()).toEqual([]);
  expect(await minutes()).toEqual([0]);
  expect(lines).toEqual([]);
});
