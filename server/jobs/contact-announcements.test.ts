import { createServer } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { findInterestLabel } from "#content/contact";
import { contactDigestMail } from "#content/notification-mails";
import { createWebhook } from "#server/webhook/webhook";
import { createUser, jobsAtRest } from "#tests/support/database";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { createQueueFixture, first, type QueueFixture, second } from "#tests/support/queue-fixture";
import { silentLog } from "#tests/support/silent-log";

let fixture: QueueFixture;

beforeEach(async () => {
  fixture = await createQueueFixture();
});

test("each email address in NOTIFY_TO gets one mail per contact, but no mail about spam", async () => {
  fixture.start({ notifyTo: [first, second] });
  await fixture.addContact({ spam: "Bought a list." });
  await fixture.addContact();
  await fixture.arrived(2);
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first, second]);
});

test("spam that an administrator takes back is announced after all, once, even with undo and repetition", async () => {
  const id = await fixture.addContact({ spam: "Bought a list." });
  fixture.start();
  const admin = await createUser(fixture.database, { admin: true });
  const move = (state: string) =>
    fixture.database.as(admin.claims, (db) => db.query("update contacts set state = $2 where id = $1", [id, state]));
  await move("new");
  fixture.wake();
  for (const state of ["spam", "new", "handled", "spam", "archived"]) {
    await fixture.arrived(1);
    await move(state);
  }
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first]);
});

test("a contact that was spam when its mail was due is announced when an administrator takes it back", async () => {
  const id = await fixture.addContact();
  const move = (state: string) =>
    fixture.database.owner.query("update contacts set state = $2 where id = $1", [id, state]);
  await move("spam");
  fixture.start();
  await expect.poll(() => fixture.jobs()).toEqual([]);
  expect(fixture.recipients()).toEqual([]);
  await move("new");
  fixture.wake();
  await fixture.arrived(1);
});

test("about a deleted contact nothing is sent, and a restored one is announced after all, once", async () => {
  const fresh = await fixture.addContact();
  const wasSpam = await fixture.addContact({ spam: "Bought a list." });
  const move = (id: string, state: string) =>
    fixture.database.owner.query("update contacts set state = $2 where id = $1", [id, state]);
  await move(fresh, "deleted");
  await move(wasSpam, "deleted");
  fixture.start();
  await expect.poll(() => fixture.jobs()).toEqual([]);
  expect(fixture.recipients()).toEqual([]);
  for (const id of [fresh, wasSpam]) await move(id, "new");
  fixture.wake();
  await fixture.arrived(2);
  for (const state of ["deleted", "handled"]) await move(fresh, state);
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first, first]);
});

test("deleted contacts count neither in a digest nor for the mails of an hour", async () => {
  fixture.start({ mailsPerHourMax: 1 });
  const ids = [await fixture.addContact(), await fixture.addContact(), await fixture.addContact()];
  await expect.poll(async () => (await fixture.jobs()).filter(({ task }) => task === "await-digest")).toHaveLength(2);
  await fixture.arrived(1);
  await fixture.database.owner.query("update contacts set state = 'deleted' where id = any ($1)", [ids]);
  await collectDigest();
  const held = [{ task: "await-digest" }, { task: "await-digest" }];
  await expect.poll(() => fixture.jobs()).toMatchObject(held);
  await fixture.addContact();
  await fixture.arrived(2);
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first, first]);
  expect(fixture.smtp.received.at(-1)?.raw).not.toContain(contactDigestMail.button);
});

test("a restored contact whose webhook was called before its digest is counted in the next one, and not called again", async () => {
  const calls: unknown[] = [];
  const webhook = { send: async ({ id }: { id: string }) => void calls.push(id) };
  fixture.start({ mailsPerHourMax: 1, webhook });
  const ids = [await fixture.addContact(), await fixture.addContact()];
  const move = (state: string) =>
    fixture.database.owner.query("update contacts set state = $2 where id = $1", [ids[1], state]);
  await expect.poll(() => calls.toSorted()).toEqual(ids.toSorted());
  await fixture.arrived(1);
  await move("deleted");
  await collectDigest();
  await expect.poll(() => fixture.jobs()).toMatchObject([{ task: "await-digest" }]);
  await lookAgain();
  await expect.poll(() => fixture.jobs()).toMatchObject([{ task: "await-digest" }]);
  await move("new");
  await lookAgain();
  await collectDigest();
  await fixture.arrived(2);
  await expect.poll(() => fixture.jobs()).toEqual([]);
  expect(fixture.smtp.received[1]?.raw).toContain(`Subject: ${contactDigestMail.subject(1)}`);
  expect(calls).toHaveLength(2);
});

test("a contact that is restored after one of two mails gets to the other address, and to none twice", async () => {
  fixture.smtp.behaviour.refuses = (recipient) => recipient === second;
  fixture.start({ notifyTo: [first, second] });
  const id = await fixture.addContact();
  const move = (state: string) =>
    fixture.database.owner.query("update contacts set state = $2 where id = $1", [id, state]);
  await fixture.arrived(1);
  await expect.poll(() => fixture.jobs()).toMatchObject([{ attempts: 1, reason: expect.stringContaining("owl") }]);
  await move("deleted");
  fixture.smtp.behaviour.refuses = () => false;
  await lookAgain();
  await expect.poll(() => fixture.jobs()).toMatchObject([{ task: "mail-contact", attempts: 0, reason: null }]);
  await move("new");
  await lookAgain();
  await fixture.arrived(2);
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first, second]);
});

test("about a removed contact no mail is sent, and with an empty NOTIFY_TO about none", async () => {
  const id = await fixture.addContact();
  await fixture.database.owner.query("delete from contacts where id = $1", [id]);
  const queue = fixture.start();
  await expect.poll(() => fixture.jobs()).toEqual([]);
  await queue.stop();
  await fixture.addContact();
  fixture.start({ notifyTo: [] });
  await expect.poll(() => fixture.jobs()).toEqual([]);
  expect(fixture.recipients()).toEqual([]);
});

test("only the refused recipient's mail is retried; the reason is stored and logged", async () => {
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (line: unknown) => lines.push(line) };
  fixture.smtp.behaviour.refuses = (recipient) => recipient === second;
  fixture.start({ notifyTo: [first, second] }, { log });
  await fixture.addContact();
  await fixture.arrived(1);
  await jobsAtRest(fixture.database);
  expect(await fixture.jobs()).toEqual([
    { task: "mail-contact", attempts: 1, reason: expect.stringContaining("No such owl") },
  ]);
  expect(lines).toEqual([
    expect.objectContaining({ task: "mail-contact", attempt: 1, reason: expect.stringContaining("No such owl") }),
  ]);

  fixture.smtp.behaviour.refuses = () => false;
  await fixture.arrived(2);
  await jobsAtRest(fixture.database);
  expect(fixture.recipients()).toEqual([first, second]);
  expect(await fixture.jobs()).toEqual([]);
});

test("a webhook that does not respond delays no mail", async () => {
  let calls = 0;
  const hanging = createServer(() => {
    calls += 1;
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(hanging)}/`;
  fixture.start({ webhook: createWebhook({ url, secret: "a secret that nobody guesses, ever", allowPrivate: true }) });
  for (let each = 0; each < 12; each++) await fixture.addContact();
  await fixture.arrived(12);
  expect(calls).toBe(1);
  // Ends the hanging webhook call, because the queue would wait for it when it stops.
  hanging.closeAllConnections();
  hanging.close();
});

test("beyond CONTACT_MAILS_PER_HOUR contacts are counted in one digest per recipient; the webhook hears of each", async () => {
  const calls: unknown[] = [];
  const webhook = { send: async ({ id }: { id: string }) => void calls.push(id) };
  for (const owner of [fixture.database.owner, fixture.connectOther()])
    fixture.start({ owner, webhook, notifyTo: [first, second], mailsPerHourMax: 3 });
  const ids: string[] = [];
  for (let number = 0; number < 8; number++) ids.push(await fixture.addContact());
  await fixture.addContact({ spam: "Bought a list." });
  await fixture.arrived(6);
  await jobsAtRest(fixture.database);
  expect(calls.toSorted()).toEqual(ids.toSorted());
  expect(await fixture.jobs()).toHaveLength(6);

  await fixture.database.owner.query("delete from contacts where id = $1", [ids.at(-1)]);
  await fixture.database.owner.query("update contacts set interest = 'partnerships' where id = $1", [ids.at(-2)]);
  await collectDigest();
  await fixture.arrived(8);
  await jobsAtRest(fixture.database);
  const digests = fixture.smtp.received.slice(6);
  expect(digests.map(({ to }) => to).sort()).toEqual([first, second]);
  for (const { raw } of digests) {
    expect(raw).toContain(`Subject: ${contactDigestMail.subject(4)}`);
    expect(raw).toContain(`${findInterestLabel("consulting")}: 3\r\n${findInterestLabel("partnerships")}: 1\r\n`);
    expect(raw).toContain("https://site.example/admin/contacts");
  }
  expect(await fixture.jobs()).toEqual([]);

  await fixture.addContact();
  await collectDigest();
  await fixture.arrived(10);
  expect(fixture.smtp.received.at(-1)?.raw).toContain(`Subject: ${contactDigestMail.subject(1)}`);
});

test("1000 waiting contacts of a rush of 10,000 are announced at once, with mails up to 30 an hour", async () => {
  const [max, contacts] = [30, 10_000];
  const { owner } = fixture.database;
  await owner.query("alter table contacts disable trigger user");
  await owner.query(
    `insert into contacts (name, email, interest, state, submitted_at)
     select 'Ida', n || '@example.com', 'consulting', case when n % 10 = 0 then 'spam' else 'new' end,
       now() - case when n <= 100 then interval '1 year' else interval '90 minutes' end * (1 - (n / 4 * 4.0 / $1))
     from generate_series(1, $1) n`,
    [contacts],
  );
  await owner.query(
    `insert into private.jobs (task, payload, attempts_max, lane)
     select 'announce-contact', jsonb_build_object('contact_id', id), 1, 'announce'
     from (select id, row_number() over (order by submitted_at, id desc) from contacts where state <> 'spam') _ (id, n)
     where n % ($1 * 9 / 10000) = 0`,
    [contacts],
  );
  await runOnce(fixture.createHandlers({ mailsPerHourMax: max }), "announce-contact");

  const { rows } = await owner.query<{ at: number; lane: string | null }>(
    `select extract(epoch from submitted_at)::float8 as at, lane
     from contacts c left join private.jobs on payload ->> 'contact_id' = c.id::text
     where state <> 'spam' order by submitted_at, c.id desc`,
  );
  const announced = rows.map((row, index) => ({ ...row, nth: rows[index - max]?.at ?? 0 })).filter(({ lane }) => lane);
  expect(announced).toHaveLength(1000);
  const lanes = announced.map(({ at, nth }) => (nth >= at - 3600 ? "digest" : "mail"));
  expect(announced.map(({ lane }) => lane)).toEqual(lanes);
});

test("a digest whose contacts were all removed is not sent", async () => {
  fixture.start({ mailsPerHourMax: 1 });
  await fixture.addContact();
  const id = await fixture.addContact();
  await expect.poll(async () => (await fixture.jobs()).map(({ task }) => task)).toContain("await-digest");
  await fixture.database.owner.query("delete from contacts where id = $1", [id]);
  await collectDigest();
  await expect.poll(() => fixture.jobs()).toEqual([]);
  expect(fixture.smtp.received).toHaveLength(1);
});

test("a server that is killed while it collects a digest leaves all of it to the next server", async () => {
  const queue = fixture.start({ mailsPerHourMax: 1 });
  await fixture.addContact();
  await fixture.addContact();
  await expect.poll(async () => (await fixture.jobs()).map(({ task }) => task)).toContain("await-digest");
  await queue.stop();
  const before = await fixture.jobs();
  const killed = runOnce(fixture.createHandlers({}), "collect-digest", () => Promise.reject(new Error("killed")));
  await expect(killed).rejects.toThrow("killed");
  expect(await fixture.jobs()).toEqual(before);

  fixture.start({ mailsPerHourMax: 1 });
  await collectDigest();
  await fixture.arrived(2);
  expect(fixture.smtp.received.at(-1)?.raw).toContain(`Subject: ${contactDigestMail.subject(1)}`);
});

/** Waits until a contact waits for a digest, and ends the ten minutes in which the digest waits for further contacts. */
async function collectDigest() {
  const begin = "update private.jobs set run_at = now() where task = 'collect-digest'";
  await expect.poll(async () => (await fixture.database.owner.query(begin)).rowCount).toBe(1);
  fixture.wake();
}

/** Ends the pause of the jobs that wait. */
async function lookAgain() {
  await fixture.database.owner.query("update private.jobs set run_at = now() where run_at < 'infinity'");
  fixture.wake();
}

/** Runs a task as the worker does, without a worker. */
function runOnce({ tasks }: ReturnType<QueueFixture["createHandlers"]>, task: string, finish = async () => {}) {
  return tasks[task]?.({}, { finish, repeat: finish, signal: new AbortController().signal });
}
