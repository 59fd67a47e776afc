import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createDatabase, createUser, service, visitor } from "../support/database.ts";

const database = await createDatabase();
const admin = await createUser(database, { admin: true });
const member = await createUser(database);
beforeEach(() => database.owner.query("delete from private.jobs"));

test("an admin sees jobs that have failed for ten minutes or more, with the reason", async () => {
  const failing = await addJob("mail-contact", { minutesAgo: 10, error: "The mail server said no." });
  const webhook = await addJob("call-webhook", { minutesAgo: 60, error: "The webhook answered 500.", attempts: 22 });
  const account = await addJob("account-mail", { minutesAgo: 11, error: "The mail server said no." });
  await addJob("mail-contact", { minutesAgo: 9, error: "Only just now." });
  await addJob("mail-contact", { minutesAgo: 60 });

  const rows = await seenBy(admin.claims);
  expect(rows).toEqual([
    {
      id: failing,
      kind: "mail",
      reason: "The mail server said no.",
      failing_since: expect.any(Date),
      next_try_at: expect.any(Date),
      attempts: 3,
      gave_up: false,
    },
    expect.objectContaining({ id: webhook, kind: "webhook", next_try_at: null, attempts: 22, gave_up: true }),
    expect.objectContaining({ id: account, kind: "account-mail", gave_up: false }),
  ]);
  expect(Date.now() - rows[0].failing_since.getTime()).toBeGreaterThanOrEqual(10 * 60 * 1000);
});

test("a job whose server died in its last attempt has given up, and an admin's retry starts it again", async () => {
  const id = await addJob("mail-contact", { minutesAgo: 20, attempts: 22, leasedBy: randomUUID() });
  expect(await seenBy(admin.claims)).toEqual([]);
  await database.owner.query("update private.jobs set leased_until = now()");
  const reason = "The server ended in the middle of it.";
  expect(await seenBy(admin.claims)).toEqual([expect.objectContaining({ id, reason, gave_up: true })]);
  expect(await retriedBy(admin.claims)).toBe(1);
  const { rows } = await database.owner.query("select attempts, leased_by from private.jobs");
  expect(rows).toEqual([{ attempts: 0, leased_by: null }]);
});

test("an admin's retry restores all attempts of jobs that have failed for ten minutes, unless they are running", async () => {
  const waiting = await addJob("mail-contact", { minutesAgo: 20, error: "No." });
  const gaveUp = await addJob("call-webhook", { minutesAgo: 20, error: "No.", attempts: 22 });
  const running = await addJob("mail-contact", { minutesAgo: 20, error: "No.", leasedBy: randomUUID() });
  const young = await addJob("mail-contact", { minutesAgo: 1, error: "No." });

  expect(await retriedBy(admin.claims)).toBe(2);
  const { rows } = await database.owner.query(
    "select id, attempts, run_at <= now() as is_due from private.jobs order by id",
  );
  expect(rows).toEqual([
    { id: waiting, attempts: 0, is_due: true },
    { id: gaveUp, attempts: 0, is_due: true },
    { id: running, attempts: 3, is_due: false },
    { id: young, attempts: 3, is_due: false },
  ]);
});

test("a member can neither see nor retry failed jobs", async () => {
  const id = await addJob("mail-contact", { minutesAgo: 20, error: "No." });
  expect(await seenBy(member.claims)).toEqual([]);
  expect(await retriedBy(member.claims)).toBe(0);
  const { rows } = await database.owner.query("select attempts from private.jobs where id = $1", [id]);
  expect(rows).toEqual([{ attempts: 3 }]);
});

test("a stored contact adds a job in its transaction; spam or a repeated contact adds no job", async () => {
  const send =
    "insert into contacts (name, email, interest, spam_reason) values ('Ida', $1, 'consulting', $2) returning id";
  const { rows } = await database.owner.query(send, ["ida@example.com", null]);
  await database.owner.query(send, ["spam@example.com", "Bought a list."]);
  await expect(
    database.as(service, async (db) => {
      await db.query("insert into contacts (name, email, interest) values ('Bo', 'bo@example.com', 'consulting')");
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await database.as(visitor, (db) =>
    // This repeated contact succeeds but is not stored again, so it must not add a job.
    db.query("insert into contacts (name, email, interest) values ('Ida', 'ida@example.com', 'consulting')"),
  );

  const jobs = await database.owner.query("select payload from private.jobs");
  expect(jobs.rows).toEqual([{ payload: { contact_id: rows[0].id } }]);
});

async function seenBy(claims: Parameters<typeof database.as>[0]) {
  return (await database.as(claims, (db) => db.query("select * from delivery_failures order by id"))).rows;
}

async function retriedBy(claims: Parameters<typeof database.as>[0]): Promise<number> {
  return (await database.as(claims, (db) => db.query("select retry_deliveries() as count"))).rows[0].count;
}

async function addJob(
  task: string,
  job: { minutesAgo: number; error?: string; attempts?: number; leasedBy?: string },
): Promise<string> {
  const { rows } = await database.owner.query(
    `insert into private.jobs
       (task, payload, attempts_max, created_at, run_at, last_error, attempts, leased_by, leased_until)
     values ($1, '{}', 22, now() - make_interval(mins => $2), now() + interval '1 hour', $3, $4, $5::uuid,
       case when $5 is not null then now() + interval '1 minute' end)
     returning id`,
    [task, job.minutesAgo, job.error ?? null, job.attempts ?? 3, job.leasedBy ?? null],
  );
  return rows[0].id;
}
