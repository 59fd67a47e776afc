import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, inject, test } from "vitest";
import { connect } from "#backend/database/connections";
import { startEmbedded } from "#backend/database/embedded/embedded-postgres";
import { inTransaction } from "#backend/database/transaction";
import { copyDataDir } from "#tests/support/data-dir";
import { jobsAtRest } from "#tests/support/database";
import { onFinished } from "#tests/support/on-finished";
import { createQueueFixture, first, type QueueFixture, second } from "#tests/support/queue-fixture";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";

let fixture: QueueFixture;

beforeEach(async () => {
  fixture = await createQueueFixture();
});

test("two servers on one database share the jobs and send no mail twice", async () => {
  fixture.start();
  fixture.start({ owner: fixture.connectOther() });
  await Promise.all(Array.from({ length: 40 }, () => fixture.addContact()));
  await fixture.arrived(40);
  await jobsAtRest(fixture.database);
  expect(new Set(fixture.smtp.received.map(({ messageId }) => messageId)).size).toBe(40);
  expect(fixture.recipients()).toHaveLength(40);
});

test("a job with an unusable payload or an unknown name fails, and delays no others", async () => {
  const names = ["announce-contact", "mail-contact", "mail-digest", "notify-owner", "call-webhook", "no-such-job"];
  const payloads = ["null", "7", "{}", '{"contact_id": "owl"}', `{"contact_id": "${"-".repeat(36)}"}`];
  await fixture.database.owner.query(
    `insert into private.jobs (task, payload, lane, attempts_max)
     select task, payload, case task when 'announce-contact' then 'announce' else 'mail' end, 22
     from unnest($1::text[]) task, unnest($2::jsonb[]) payload`,
    [names, payloads],
  );
  fixture.start();
  await fixture.addContact();
  await fixture.arrived(1);
  await jobsAtRest(fixture.database);
  const jobs = await fixture.jobs();
  expect(jobs).toHaveLength(names.length * payloads.length);
  expect(jobs.filter(({ reason }) => reason === null)).toEqual([]);
});

test("a stopping queue finishes running jobs; the next server runs the remaining jobs", async () => {
  const held = Promise.withResolvers<void>();
  fixture.smtp.behaviour.answersAfter = held.promise;
  const queue = fixture.start();
  await Promise.all(Array.from({ length: 12 }, () => fixture.addContact()));
  await expect.poll(fixture.smtp.transfers).toBe(6);
  const stopped = queue.stop();
  held.resolve();
  await stopped;
  expect(fixture.smtp.received).toHaveLength(6);

  fixture.start();
  await fixture.arrived(12);
  await jobsAtRest(fixture.database);
  expect(new Set(fixture.smtp.received.map(({ messageId }) => messageId)).size).toBe(12);
});

test("after a server was killed between two recipients, only the second one gets the same mail again", async () => {
  const held = Promise.withResolvers<void>();
  fixture.smtp.behaviour.refuses = (recipient) => recipient === second;
  const killed = spawnQueue(first, second);
  await fixture.addContact();
  await expect.poll(() => fixture.smtp.received.length, { timeout: 60_000 }).toBe(1);
  fixture.smtp.behaviour.answersAfter = held.promise;
  fixture.smtp.behaviour.refuses = () => false;
  await expect.poll(fixture.smtp.transfers, { timeout: 60_000 }).toBe(2);
  killed.kill("SIGKILL");
  await once(killed, "close");

  held.resolve();
  fixture.start({ notifyTo: [first, second] }, { leaseSeconds });
  await fixture.arrived(3);
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first, second, second]);
  const toSecond = fixture.smtp.received.filter(({ to }) => to === second);
  expect(new Set(toSecond.map(({ messageId }) => messageId)).size).toBe(1);
});

test("a job that a live server runs for a long time is not repeated by another server", async () => {
  const held = Promise.withResolvers<void>();
  fixture.smtp.behaviour.answersAfter = held.promise;
  const slow = spawnQueue();
  onFinished(async () => {
    slow.kill("SIGKILL");
    await once(slow, "close");
  });
  await fixture.addContact();
  await expect.poll(fixture.smtp.transfers, { timeout: 60_000 }).toBe(1);

  // The second job belongs to a dead worker. When the new server runs this job, it has seen the leases of both jobs.
  await inTransaction(fixture.database.owner, async (db) => {
    await db.query("insert into contacts (name, email, interest) values ('Bo', 'bo@example.com', 'consulting')");
    await db.query(`update private.jobs set leased_by = gen_random_uuid(), leased_until = now(), attempts = 1
      where leased_by is null`);
  });
  fixture.start({}, { leaseSeconds });
  await expect.poll(fixture.smtp.transfers, { timeout: 30_000 }).toBe(2);
  held.resolve();
  await fixture.arrived(2);
  await jobsAtRest(fixture.database);
  expect(new Set(fixture.smtp.received.map(({ messageId }) => messageId)).size).toBe(2);
  expect(fixture.smtp.transfers()).toBe(2);
});

test("if PostgreSQL is killed during a delivery, the mail arrives once and the queue continues", async () => {
  const dataDir = await temporaryFolder();
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const postgres = await startEmbedded({ dataDir, log: silentLog });
  const { owner, close } = connect(postgres.connection, silentLog);
  onFinished(async () => {
    await close();
    await postgres.stop();
  });
  const held = Promise.withResolvers<void>();
  fixture.smtp.behaviour.answersAfter = held.promise;
  fixture.start({ owner });
  const others = connect(postgres.connection, silentLog);
  onFinished(() => others.close());
  fixture.start({ owner: others.owner });

  await fixture.addContact({ owner });
  await expect.poll(fixture.smtp.transfers, { timeout: 30_000 }).toBe(1);
  const idle = await owner.connect();
  const lost = once(idle, "error");
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
  // The mail server accepts the mail while PostgreSQL is down, which may last only a moment.
  await lost;
  idle.release(true);
  held.resolve();
  await fixture.arrived(1);

  await expect.poll(() => fixture.jobs(owner).catch(() => "no answer"), { timeout: 60_000 }).toEqual([]);
  await fixture.addContact({ owner });
  await fixture.arrived(2);
  expect(new Set(fixture.smtp.received.map(({ messageId }) => messageId)).size).toBe(2);
});

/** Long enough for a busy machine to extend its leases in time, and short enough to wait for. */
const leaseSeconds = 3;

/** Starts a queue in a separate process that a test may kill. */
function spawnQueue(...notifyTo: string[]): ChildProcess {
  const script = fileURLToPath(new URL("../../tests/support/run-queue.ts", import.meta.url));
  return spawn(
    process.execPath,
    [script, fixture.database.url, fixture.smtp.url, notifyTo.join() || first, String(leaseSeconds)],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
}
