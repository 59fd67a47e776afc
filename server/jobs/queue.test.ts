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
  const { mailer, tasks } = createHandlers(parts);
  const queue = startQueue({ owner, log: silent, tasks, ...options });
  opened.push(async () => {
    await queue.stop();
    mailer.close();
  });
  return queue;
}

function createHandlers(parts: Partial<JobHandlerOptions>) {
  const mailer = createMailer({ smtpUrl: smtp.url, mailFrom: undefined, siteUrl, log: console });
  const composeAccountMail = async () => undefined;
  const tasks = createJobHandlers({
    owner: database.owner,
    mailer,
    siteUrl,
    notifyTo: [first],
    mailsPerHourMax: 1000,
    webhook: undefined,
    composeAccountMail,
    ...parts,
  });
  return { mailer, tasks };
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

test("with a webhook, each contact is mailed and called once", async () => {
  const calls: unknown[] = [];
  const webhook = { send: async ({ id }: { id: string }) => void calls.push(id) };
  start({ webhook, notifyTo: [first, second] });
  const ids = [await addContact(), await addContact()];
  await arrived(4);
  await jobsAtRest(database);
  expect(calls).toEqual(ids);
  expect(await jobsOf(database.owner)).toEqual([]);
});

test("beyond CONTACT_MAILS_PER_HOUR contacts are counted in one digest per recipient; the webhook hears of each", async () => {
  const calls: unknown[] = [];
  const webhook = { send: async ({ id }: { id: string }) => void calls.push(id) };
  const other = connect(database.connection, silent);
  opened.push(() => other.close());
  for (const owner of [database.owner, other.owner])
    start({ owner, webhook, notifyTo: [first, second], mailsPerHourMax: 3 });
  const ids: string[] = [];
  for (let number = 0; number < 8; number++) ids.push(await addContact());
  await addContact({ spam: "Bought a list." });
  await arrived(6);
  await jobsAtRest(database);
  expect(calls.toSorted()).toEqual(ids.toSorted());
  expect(await jobsOf(database.owner)).toHaveLength(6);

  await database.owner.query("delete from contacts where id = $1", [ids.at(-1)]);
  await database.owner.query("update contacts set interest = 'partnerships' where id = $1", [ids.at(-2)]);
  await collectDigest();
  await arrived(8);
  await jobsAtRest(database);
  const digests = smtp.received.slice(6);
  expect(digests.map(({ to }) => to).sort()).toEqual([first, second]);
  for (const { raw } of digests) {
    expect(raw).toContain("Subject: 4 more contacts are in the inbox");
    expect(raw).toContain("Consulting: 3\r\nPartnerships: 1\r\n");
    expect(raw).toContain(`${siteUrl}/admin/contacts`);
  }
  expect(await jobsOf(database.owner)).toEqual([]);

  await addContact();
  await expect.poll(() => jobsOf(database.owner)).toHaveLength(2);
  await collectDigest();
  await arrived(10);
  expect(smtp.received.at(-1)?.raw).toContain("Subject: 1 more contact is in the inbox");
});

test("a digest that fails for one recipient is repeated for this recipient only", async () => {
  smtp.behaviour.refuses = (recipient) => recipient === second;
  start({ notifyTo: [first, second], mailsPerHourMax: 1 });
  await addContact();
  await addContact();
  await arrived(1);
  await expect.poll(async () => (await jobsOf(database.owner)).map(({ task }) => task)).toContain("await-digest");
  await collectDigest();
  await arrived(2);
  smtp.behaviour.refuses = () => false;
  await arrived(4);
  await jobsAtRest(database);
  expect(recipients()).toEqual([first, first, second, second]);
  expect(await jobsOf(database.owner)).toEqual([]);
});

test("a digest whose contacts were all deleted is not sent", async () => {
  start({ mailsPerHourMax: 1 });
  await addContact();
  const id = await addContact();
  await expect.poll(async () => (await jobsOf(database.owner)).map(({ task }) => task)).toContain("await-digest");
  await database.owner.query("delete from contacts where id = $1", [id]);
  await collectDigest();
  await expect.poll(() => jobsOf(database.owner)).toEqual([]);
  expect(smtp.received).toHaveLength(1);
});

test("a server that is killed while it collects a digest leaves all of it to the next server", async () => {
  const queue = start({ mailsPerHourMax: 1 });
  await addContact();
  await addContact();
  await expect.poll(async () => (await jobsOf(database.owner)).map(({ task }) => task)).toContain("await-digest");
  await queue.stop();
  const before = await jobsOf(database.owner);
  const { tasks } = createHandlers({});
  const finish = () => Promise.reject(new Error("killed"));
  const killed = tasks["collect-digest"]?.({}, { number: 1, finish, saveProgress: finish });
  await expect(killed).rejects.toThrow("killed");
  expect(await jobsOf(database.owner)).toEqual(before);

  start({ mailsPerHourMax: 1 });
  await collectDigest();
  await arrived(2);
  expect(smtp.received.at(-1)?.raw).toContain("Subject: 1 more contact is in the inbox");
});

test("a job with an unusable payload or an unknown name fails, and delays no others", async () => {
  const names = ["announce-contact", "mail-contact", "mail-digest", "notify-owner", "call-webhook", "no-such-job"];
  const payloads = ["null", "7", "{}", '{"contact_id": "owl"}'];
  await database.owner.query(
    `insert into private.jobs (task, payload, attempts_max)
     select task, payload, 22 from unnest($1::text[]) task, unnest($2::jsonb[]) payload`,
    [names, payloads],
  );
  start();
  await addContact();
  await arrived(1);
  await jobsAtRest(database);
  const jobs = await jobsOf(database.owner);
  expect(jobs).toHaveLength(names.length * payloads.length);
  expect(jobs.filter(({ reason }) => reason === null)).toEqual([]);
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
  start({}, { leaseSeconds });
  await arrived(1);
  await jobsAtRest(database);
  held.resolve();
  await arrived(2);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1);
});

test("after a server was killed between two recipients, only the second one gets the mail again", async () => {
  const held = Promise.withResolvers<void>();
  smtp.behaviour.answersAfter = Promise.resolve();
  smtp.behaviour.refuses = (recipient) => {
    if (recipient === second) smtp.behaviour.answersAfter = held.promise;
    return false;
  };
  const killed = spawnQueue(first, second);
  await addContact();
  await expect.poll(smtp.transfers, { timeout: 60_000 }).toBe(2);
  killed.kill("SIGKILL");
  await once(killed, "close");

  held.resolve();
  smtp.behaviour.refuses = () => false;
  start({ notifyTo: [first, second] }, { leaseSeconds });
  await arrived(3);
  await jobsAtRest(database);
  expect(recipients()).toEqual([first, second, second]);
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

  // The second job belongs to a dead worker. When the new server runs this job, it has seen the leases of both jobs.
  await inTransaction(database.owner, async (db) => {
    await db.query("insert into contacts (name, email, interest) values ('Bo', 'bo@example.com', 'consulting')");
    await db.query(`update private.jobs set leased_by = gen_random_uuid(), leased_until = now(), attempts = 1
      where leased_by is null`);
  });
  start({}, { leaseSeconds });
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
  start({ owner: others.owner });

  await addContact({ owner });
  await expect.poll(smtp.transfers, { timeout: 30_000 }).toBe(1);
  const idle = await owner.connect();
  const lost = once(idle, "error");
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
  // The mail server accepts the mail while PostgreSQL is down, which may last only a moment.
  await lost;
  idle.release(true);
  held.resolve();
  await arrived(1);

  await expect.poll(() => jobsOf(owner).catch(() => "no answer"), { timeout: 60_000 }).toEqual([]);
  await addContact({ owner });
  await arrived(2);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(2);
});

/** Long enough for a busy machine to extend its leases in time, and short enough to wait for. */
const leaseSeconds = 3;

/** Starts a queue in a separate process that a test may kill. */
function spawnQueue(...notifyTo: string[]): ChildProcess {
  const script = fileURLToPath(new URL("../../tests/support/run-queue.ts", import.meta.url));
  return spawn(process.execPath, [script, database.url, smtp.url, notifyTo.join() || first, String(leaseSeconds)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

async function jobsOf(owner: Pool) {
  const { rows } = await owner.query(
    "select task, attempts, last_error as reason from private.jobs where attempts < attempts_max order by id",
  );
  return rows;
}

/** Ends the ten minutes in which a digest waits for further contacts. */
async function collectDigest() {
  await database.owner.query("update private.jobs set run_at = now() where task = 'collect-digest'");
}
