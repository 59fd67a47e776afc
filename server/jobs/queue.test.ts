import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "#server/database/connections";
import { startEmbedded } from "#server/database/embedded/embedded-postgres";
import { migrate } from "#server/database/migrations";
import { inTransaction } from "#server/database/transaction";
import { createMailer } from "#server/mail/mailer";
import { createWebhook } from "#server/webhook/webhook";
import { createDatabase, jobsAtRest, type TestDatabase } from "#tests/support/database";
import { silent } from "#tests/support/silent";
import { type SmtpServer, startSmtp } from "#tests/support/smtp-server";
import { createJobHandlers, type JobHandlerOptions } from "./job-handlers.ts";
import { startQueue } from "./queue.ts";
import type { WorkerOptions } from "./worker.ts";

const siteUrl = "https://site.example";
const first = "first@site.example";
const second = "second@site.example";

let database: TestDatabase;
let smtp: SmtpServer;
/** Functions that are called after each test, the last added first. */
let opened: (() => unknown)[];

beforeEach(async () => {
  database = await createDatabase();
  smtp = await startSmtp();
  opened = [() => smtp.stop(), () => database.drop()];
});
afterEach(async () => {
  for (const close of opened.reverse()) await close();
});

function start(parts: Partial<JobHandlerOptions> = {}, options: Partial<WorkerOptions> = {}) {
  const { owner = database.owner } = parts;
  const mailer = createMailer({ smtpUrl: smtp.url, mailFrom: undefined, siteUrl, log: console });
  const composeAccountMail = async () => undefined;
  const tasks = createJobHandlers({
    owner,
    mailer,
    siteUrl,
    notifyTo: [first],
    webhook: undefined,
    composeAccountMail,
    ...parts,
  });
  const queue = startQueue({ owner, log: silent, tasks, checkSeconds: 0.2, missingSecondsMax: 1, ...options });
  opened.push(async () => {
    await queue.stop();
    mailer.close();
  });
  return queue;
}

let contacts = 0;
async function addContact({ owner, spam }: { owner?: Pool; spam?: string } = {}): Promise<string> {
  const { rows } = await (owner ?? database.owner).query(
    "insert into contacts (name, email, interest, spam_reason) values ('Ida', $1, 'consulting', $2) returning id",
    [`ida-${contacts++}@example.com`, spam ?? null],
  );
  return rows[0].id;
}

const recipients = () => smtp.received.map(({ to }) => to).sort();
const arrived = (count: number) => expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(count);

test("each email address in NOTIFY_TO gets one mail per contact, but no mail about spam", async () => {
  start({ notifyTo: [first, second] });
  await addContact({ spam: "Bought a list." });
  await addContact();
  await arrived(2);
  await jobsAtRest(database);
  expect(recipients()).toEqual([first, second]);
});

test("with an empty NOTIFY_TO, the job of a new contact ends and adds no further jobs", async () => {
  await addContact();
  start({ notifyTo: [] });
  await expect.poll(() => jobsOf(database.owner)).toEqual([]);
});

test("no mail is sent about a deleted contact", async () => {
  const id = await addContact();
  await database.owner.query("delete from contacts where id = $1", [id]);
  start();
  await expect.poll(() => jobsOf(database.owner)).toEqual([]);
  expect(recipients()).toEqual([]);
});

test("only the refused recipient's mail is retried; the reason is stored and logged", async () => {
  const lines: unknown[] = [];
  const log = { ...silent, warn: (line: unknown) => lines.push(line) };
  smtp.behaviour.refuses = (recipient) => recipient === second;
  start({ notifyTo: [first, second] }, { log });
  await addContact();
  await arrived(1);
  await jobsAtRest(database);
  expect(await jobsOf(database.owner)).toEqual([
    { task: "notify-owner", attempts: 1, reason: expect.stringContaining("No such owl") },
  ]);
  expect(lines).toEqual([
    expect.objectContaining({ task: "notify-owner", attempt: 1, reason: expect.stringContaining("No such owl") }),
  ]);

  smtp.behaviour.refuses = () => false;
  await arrived(2);
  await jobsAtRest(database);
  expect(recipients()).toEqual([first, second]);
  expect(await jobsOf(database.owner)).toEqual([]);
});

test("two servers on one database share the jobs and send no mail twice", async () => {
  const other = connect(database.connection, silent);
  opened.push(() => other.close());
  start();
  start({ owner: other.owner });
  await Promise.all(Array.from({ length: 40 }, () => addContact()));
  await arrived(40);
  await jobsAtRest(database);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(40);
  expect(recipients()).toHaveLength(40);
});

test("a webhook that does not respond delays no mail", async () => {
  let calls = 0;
  const hanging = createServer(() => {
    calls += 1;
  }).listen(0, "127.0.0.1");
  await once(hanging, "listening");
  opened.push(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
  start({ webhook: createWebhook({ url, secret: "a secret that nobody guesses, ever", allowPrivate: true }) });
  for (let each = 0; each < 12; each++) await addContact();
  await arrived(12);
  expect(calls).toBe(1);
  // Ends the hanging webhook call, because the queue would wait for it when it stops.
  hanging.closeAllConnections();
  hanging.close();
});

test("a stopping queue finishes running jobs; the next server runs the remaining jobs", async () => {
  const held = Promise.withResolvers<void>();
  smtp.behaviour.answersAfter = held.promise;
  const queue = start();
  await Promise.all(Array.from({ length: 12 }, () => addContact()));
  await expect.poll(smtp.transfers).toBe(6);
  const stopped = queue.stop();
  held.resolve();
  await stopped;
  expect(smtp.received).toHaveLength(6);

  start();
  await arrived(12);
  await jobsAtRest(database);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(12);
});

test("another server repeats the mail job of a killed server with the same Message-ID", async () => {
  const held = Promise.withResolvers<void>();
  smtp.behaviour.answersAfter = held.promise;
  const killed = spawnQueue();
  await addContact();
  await expect.poll(smtp.transfers, { timeout: 60_000 }).toBe(1);
  killed.kill("SIGKILL");
  await once(killed, "close");

  smtp.behaviour.answersAfter = Promise.resolve();
  start();
  await arrived(1);
  await jobsAtRest(database);
  held.resolve();
  await arrived(2);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1);
});

test("a job that a live server runs for a long time is not repeated by another server", async () => {
  const held = Promise.withResolvers<void>();
  smtp.behaviour.answersAfter = held.promise;
  const slow = spawnQueue();
  opened.push(async () => {
    slow.kill("SIGKILL");
    await once(slow, "close");
  });
  await addContact();
  await expect.poll(smtp.transfers, { timeout: 60_000 }).toBe(1);

  // The second job belongs to a dead worker. When the new server runs this job, it has checked the locks of both jobs.
  await inTransaction(database.owner, async (db) => {
    await db.query("insert into contacts (name, email, interest) values ('Bo', 'bo@example.com', 'consulting')");
    await db.query(`update graphile_worker._private_jobs set locked_by = 'worker gone', locked_at = now(), attempts = 1
      where locked_by is null`);
  });
  start({}, { missingSecondsMax: 0 });
  await expect.poll(smtp.transfers, { timeout: 30_000 }).toBe(2);
  held.resolve();
  await arrived(2);
  await jobsAtRest(database);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(2);
  expect(smtp.transfers()).toBe(2);
});

test("if PostgreSQL is killed during a delivery, the mail arrives once and the queue continues", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "queue-"));
  const postgres = await startEmbedded({ dataDir, log: silent });
  const { owner, close } = connect(postgres.connection, silent);
  opened.push(async () => {
    await close();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });
  await migrate(owner, silent);
  const held = Promise.withResolvers<void>();
  smtp.behaviour.answersAfter = held.promise;
  start({ owner });
  const others = connect(postgres.connection, silent);
  opened.push(() => others.close());
  start({ owner: others.owner }, { missingSecondsMax: 15 });

  await addContact({ owner });
  await expect.poll(smtp.transfers, { timeout: 30_000 }).toBe(1);
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
  await expect.poll(() => owner.query("select").catch(() => undefined), { timeout: 30_000 }).toBeUndefined();
  // The mail server accepts the mail while PostgreSQL is down.
  held.resolve();
  await arrived(1);

  await expect.poll(() => jobsOf(owner).catch(() => "no answer"), { timeout: 60_000 }).toEqual([]);
  await addContact({ owner });
  await arrived(2);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(2);
});

/** Starts a queue in a separate process that a test may kill. */
function spawnQueue(): ChildProcess {
  const script = fileURLToPath(new URL("../../tests/support/run-queue.ts", import.meta.url));
  return spawn(process.execPath, [script, database.url, smtp.url, first], { stdio: ["ignore", "inherit", "inherit"] });
}

async function jobsOf(owner: Pool) {
  const { rows } = await owner.query(
    `select task_identifier as task, attempts, last_error as reason from graphile_worker.jobs where attempts < max_attempts
     order by id`,
  );
  return rows;
}
