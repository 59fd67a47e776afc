import type { Pool } from "pg";
import { beforeEach, expect, test } from "vitest";
import { createDatabase, createUser, type TestDatabase } from "#tests/support/database";
import { onFinished } from "#tests/support/on-finished";
import { silentLog } from "#tests/support/silent-log";
import { addJob } from "./queue.ts";
import { type Attempt, Worker } from "./worker.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});

test("a worker that hears of a job only after its lease leaves it to the worker that took it over", async () => {
  const { owner } = database;
  const held = Promise.withResolvers<void>();
  const query = async (sql: string, values: unknown[]) => {
    const result = await owner.query(sql, values);
    if (result.rows.length > 0) await held.promise;
    return result;
  };
  const begun: string[] = [];
  const startNamed = (name: string, pool: Pool) => {
    const go = async () => void begun.push(name);
    const worker = new Worker({ owner: pool, log: silentLog, leaseSeconds: 0.5, tasks: { go } });
    onFinished(() => worker.stop());
    return worker;
  };
  await addJob(owner, "go", {}, { attempts: 3 });
  const paused = startNamed("paused", { query } as unknown as Pool);
  await expect
    .poll(async () => (await owner.query("select from private.jobs where leased_by is not null")).rowCount)
    .toBe(1);
  startNamed("other", owner);
  await expect.poll(async () => (await owner.query("select from private.jobs")).rowCount, { timeout: 30_000 }).toBe(0);
  held.resolve();
  await paused.stop();
  expect(begun).toEqual(["other"]);
});

test("a job that was put off or leased while the clock ran ahead runs once the clock is right", async () => {
  const { owner } = database;
  await owner.query(
    `insert into private.jobs (task, payload, attempts_max, run_at, leased_by, leased_until) values
     ('go', '{}', 3, now() + interval '800 days', null, null),
     ('go', '{}', 3, now(), gen_random_uuid(), now() + interval '800 days')`,
  );
  let begun = 0;
  const worker = new Worker({
    owner,
    log: silentLog,
    leaseSeconds: 0.5,
    tasks: { go: async () => void begun++ },
  });
  onFinished(() => worker.stop());
  await expect.poll(() => begun, { timeout: 30_000 }).toBe(2);
});

test("a job that never ends fails, may store nothing after that, and leaves its lane to the next", async () => {
  const { owner } = database;
  const attempts: Attempt[] = [];
  const begun: string[] = [];
  const tasks = {
    hang: async (_payload: unknown, attempt: Attempt) => {
      attempts.push(attempt);
      await new Promise(() => {});
    },
    go: async () => void begun.push("go"),
  };
  const queue = new Worker({ owner, log: silentLog, attemptSecondsMax: 0.1, tasks });
  onFinished(() => queue.stop());
  for (const task of ["hang", "go"]) await addJob(owner, task, {}, { attempts: 3, lane: "webhook" });
  await expect.poll(() => begun, { timeout: 30_000 }).toEqual(["go"]);
  const { rows } = await owner.query("select last_error from private.jobs where task = 'hang'");
  expect(rows).toEqual([{ last_error: "The job did not end within 0.1 seconds." }]);
  await expect(attempts[0]?.repeat(0)).rejects.toThrow("This attempt of the job is over.");
});

test("the search for due jobs reads an index, however many jobs wait", async () => {
  const { owner } = database;
  await owner.query(`insert into private.jobs (task, payload, attempts_max, priority, run_at)
    select 'go', '{}', 3, 10, now() + case when number > 10000 then interval '1 hour' else '0' end
    from generate_series(1, 20000) number`);
  await owner.query("analyze private.jobs");
  const statements: unknown[][] = [];
  const query = async (...statement: unknown[]) => {
    statements.push(statement);
    return { rows: [] };
  };
  const worker = new Worker({ owner: { query } as unknown as Pool, tasks: {}, log: silentLog });
  await worker.stop();
  const [[sql, values] = []] = statements;
  const { rows } = await owner.query(`explain ${sql}`, values as unknown[]);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan.match(/Index Scan using jobs_due/g)).toHaveLength(4);
  expect(plan).not.toContain("Seq Scan on jobs");
  expect(plan).not.toContain("Sort");
});

test("a job that gave up is not read again by the search for due jobs, until it is tried again", async () => {
  const { owner } = database;
  let refuses = true;
  const go = async () => {
    if (refuses) throw new Error("No such owl");
  };
  const queue = new Worker({ owner, log: silentLog, tasks: { go } });
  onFinished(() => queue.stop());
  await addJob(owner, "go", {}, { attempts: 1 });
  const failures = "select run_at = 'infinity' as is_never_due from private.jobs where last_error is not null";
  await expect.poll(async () => (await owner.query(failures)).rows).toEqual([{ is_never_due: true }]);

  refuses = false;
  await owner.query("update private.jobs set created_at = now() - interval '1 hour'");
  const { claims } = await createUser(database, { admin: true });
  expect(
    (await database.as(claims, (db) => db.query("select next_try_at, gave_up from delivery_failures"))).rows,
  ).toEqual([{ next_try_at: null, gave_up: true }]);
  await database.as(claims, (db) => db.query("select retry_deliveries()"));
  await expect.poll(async () => (await owner.query("select from private.jobs")).rowCount, { timeout: 5000 }).toBe(0);
});

test("each attempt of a job is one line with job, contact and request; the last failed one is an error", async () => {
  const lines: unknown[] = [];
  const at = (level: string) => (about: object, message: string) => lines.push({ level, ...about, message });
  let fails = true;
  const queue = new Worker({
    owner: database.owner,
    log: { info: at("info"), warn: at("warn"), error: at("error") } as never,
    tasks: {
      async mail() {
        if (fails) throw new Error("No.");
      },
    },
  });
  onFinished(() => queue.stop());
  const cause = { contact_id: "of-the-contact", request_id: "of-the-request" };
  const about = { job: expect.any(String), task: "mail", contact: "of-the-contact", requestId: "of-the-request" };
  await addJob(database.owner, "mail", cause, { attempts: 2 });
  const failed = { ...about, attemptsMax: 2, reason: "No." };
  // The second attempt follows after e seconds, unless the time is over already.
  await expect.poll(() => lines).toEqual([{ ...failed, level: "warn", attempt: 1, message: "A job failed." }]);
  await expect
    .poll(
      async () =>
        (await database.owner.query("update private.jobs set run_at = now() where leased_by is null")).rowCount,
    )
    .toBe(1);
  queue.wake();
  await expect.poll(() => lines[1]).toEqual({ ...failed, level: "error", attempt: 2, message: "A job gave up." });
  fails = false;
  await addJob(database.owner, "mail", cause, { attempts: 1 });
  queue.wake();
  const done = { ...about, level: "info", attempt: 1, milliseconds: expect.any(Number), message: "A job is done." };
  await expect.poll(() => lines[2]).toEqual(done);
});
