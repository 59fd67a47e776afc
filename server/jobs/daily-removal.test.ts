import type { Pool } from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { onFinished } from "#tests/support/on-finished";
import { createQueueFixture, type QueueFixture } from "#tests/support/queue-fixture";
import { silentLog } from "#tests/support/silent-log";
import { dailyRemoval } from "./daily-removal.ts";
import { Worker } from "./worker.ts";

let fixture: QueueFixture;
beforeEach(async () => {
  fixture = await createQueueFixture();
});

const kept = { contactMonths: 1, spamDays: 3, expired: {} };
const scheduleDailyRemoval = (owner: Pool) => dailyRemoval({ owner, log: silentLog, ...kept }).schedule();

/** Starts the queue of one server, with the settings of the test. */
function start({
  owner = fixture.database.owner,
  remover = undefined as Pool | undefined,
  warnings = [] as string[],
} = {}) {
  const log = { ...silentLog, warn: (line: unknown) => warnings.push(String(line)) };
  const { tasks } = dailyRemoval({ owner: remover ?? owner, log, ...kept });
  const queue = new Worker({ owner, log, tasks });
  onFinished(() => queue.stop());
  return warnings;
}

async function addOldContacts() {
  await fixture.database.owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, state, state_changed_at)
      select 'Ada', n || '@x.org', 'consulting', now() - interval '32 days', case when n % 2 = 0 then 'spam' else 'new' end,
        now() - n * interval '1 day'
      from generate_series(1, 5) n; commit`);
}

const left = async () =>
  (await fixture.database.owner.query("select email from contacts order by email")).rows.map(({ email }) => email);

/** The waiting job: in how many hours it is due, and whether the one of before has ended. */
async function job() {
  const { rows } = await fixture.database.owner.query(
    `select round(extract(epoch from run_at - now()) / 3600)::integer as hours, attempts, last_error as reason
     from private.jobs where task = 'remove-expired-contacts'`,
  );
  return rows;
}
const makeDue = () => fixture.database.owner.query("update private.jobs set run_at = now()");
const tomorrow = [{ hours: 24, attempts: 0, reason: null }];

test("several servers remove expired contacts once a day, the first time a day after the first start", async () => {
  const { owner } = fixture.database;
  const other = fixture.connectOther();
  await Promise.all([owner, other, owner, other].map(scheduleDailyRemoval));
  expect(await job()).toEqual(tomorrow);

  await addOldContacts();
  start();
  start({ owner: other });
  await makeDue();
  // Spam that was marked two days ago stays.
  await expect.poll(left).toEqual(["2@x.org"]);
  await expect.poll(job).toEqual(tomorrow);
  await scheduleDailyRemoval(owner);
  expect(await job()).toEqual(tomorrow);
});

test("after a jump of the clock nothing is removed until a person says that the clock is right", async () => {
  const { owner } = fixture.database;
  await scheduleDailyRemoval(owner);
  await addOldContacts();
  // As two years of a clock that runs ahead look to the job.
  await owner.query(
    "update private.jobs set created_at = now() - interval '806 days', run_at = now() - interval '805 days'",
  );
  const warnings = start();
  await expect.poll(job).toEqual(tomorrow);
  await makeDue();
  await expect.poll(job).toEqual(tomorrow);
  await expect.poll(() => warnings.length).toBe(2);
  expect(warnings[0]).toMatch(
    /^The daily removal last ran on \d{4}-\d\d-\d\d, and the clock of the database says \d{4}-\d\d-\d\d, so nothing was removed\./,
  );
  expect(await left()).toHaveLength(5);

  await owner.query("select private.trust_clock()");
  await expect.poll(left).toEqual(["2@x.org"]);
  await expect.poll(job).toEqual(tomorrow);
});

test("if the database does not tell whether its clock jumped, that is asked again in an hour, and is no failed job", async () => {
  const { owner } = fixture.database;
  await scheduleDailyRemoval(owner);
  await addOldContacts();
  await owner.query("update private.jobs set created_at = now() - interval '806 days'");
  await makeDue();
  const query = vi.fn((sql: string, values: unknown[]) => owner.query(sql, values));
  query.mockRejectedValueOnce(new Error("gone"));
  const warnings = start({ remover: { query } as unknown as Pool });
  await expect.poll(job).toEqual([{ hours: 1, attempts: 0, reason: null }]);
  expect(warnings.pop()).toBe("Removing expired contacts failed and will be tried again in an hour: gone");
  // The time of the last removal is still known.
  await makeDue();
  await expect.poll(job).toEqual(tomorrow);
  expect(warnings.join()).toMatch("so nothing was removed.");
});

test("a removal goes on by itself when a clock that had jumped is set right", async () => {
  const { owner } = fixture.database;
  await scheduleDailyRemoval(owner);
  await addOldContacts();
  // The clock was two years ahead when the last attempt put the job off by a day.
  await owner.query("update private.jobs set run_at = now() + interval '807 days'");
  start();
  await expect.poll(left).toEqual(["2@x.org"]);
  await expect.poll(job).toEqual(tomorrow);
});

test("the same job removes unconfirmed accounts, jobs that gave up, counts of visits and networks of contacts", async () => {
  const { owner } = fixture.database;
  await scheduleDailyRemoval(owner);
  await owner.query(
    `insert into auth.users (email, created_at, confirmation_sent_at, email_confirmed_at, invited_at) values
       ('forgotten', now() - interval '31 days', now() - interval '31 days', null, null),
       ('mailed again', now() - interval '31 days', now() - interval '29 days', null, null),
       ('confirmed', now() - interval '31 days', now() - interval '31 days', now(), null),
       ('invited', now() - interval '31 days', null, null, now() - interval '31 days'),
       ('granted', now() - interval '31 days', now() - interval '31 days', null, null)`,
  );
  await owner.query(
    "insert into user_roles (user_id, role) select id, 'admin' from auth.users where email = 'granted'",
  );
  await owner.query(
    `insert into private.jobs (task, payload, attempts, attempts_max, run_at, created_at) values
       ('gave up long ago', '{}', 2, 2, 'infinity', now() - interval '31 days'),
       ('gave up', '{}', 2, 2, 'infinity', now() - interval '29 days'),
       ('tried again', '{}', 1, 2, now() + interval '1 day', now() - interval '31 days')`,
  );
  await owner.query(
    `insert into private.visits
     select (now() - interval '3 years')::date + days, '/', 'host-' || days, '', 1 from unnest(array[-1, 1]) days`,
  );
  // Although no further contact comes.
  await owner.query(
    "insert into private.contact_senders (address_hash, stored_at) select '', now() - n * interval '59 minutes' from generate_series(1, 2) n",
  );
  start();
  await owner.query("update private.jobs set run_at = now() where task = 'remove-expired-contacts'");
  const stored = async () => {
    const { rows } = await owner.query(
      `select email as name from auth.users union all select task from private.jobs union all
       select referrer from private.visits union all select 'a network' from private.contact_senders order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const accounts = ["confirmed", "granted", "invited", "mailed again"];
  const jobs = ["gave up", "remove-expired-contacts", "tried again"];
  await expect.poll(stored).toEqual([...accounts, ...jobs, "host-1", "a network"].sort());
});

test("a removal that fails is logged, appears in no list of failures, and is tried again in an hour", async () => {
  const { owner } = fixture.database;
  await scheduleDailyRemoval(owner);
  await owner.query("alter function private.remove_expired_contacts(integer, integer) rename to gone");
  const warnings = start();
  await makeDue();
  await expect.poll(job).toEqual([{ hours: 1, attempts: 0, reason: null }]);
  expect(warnings).toEqual([expect.stringMatching(/^Removing expired contacts failed .*does not exist/)]);
});
