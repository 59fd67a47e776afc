import { beforeEach, expect, test } from "vitest";
import { legalWords, retention } from "#content/legal";
import { readSettings } from "#server/settings";
import type { ContactState } from "#site/supabase/read-contacts.ts";
import { createDatabase } from "#tests/support/database";
import { isExample } from "#tests/support/example";

const database = await createDatabase();
beforeEach(() => database.owner.query("delete from contacts; delete from private.jobs"));

interface Stored {
  state?: ContactState;
  /** SQL of the two times; `now()` is that of the removal. */
  submittedAt: string;
  changedAt?: string;
}

/** Removes expired contacts in the transaction that has stored these, and returns the indexes of those that are left. */
async function removeFrom(contacts: readonly Stored[], call = "private.remove_expired_contacts()") {
  const db = await database.owner.connect();
  try {
    await db.query("begin");
    for (const [index, { state = "new", submittedAt, changedAt = submittedAt }] of contacts.entries()) {
      await db.query(
        `insert into contacts (name, email, interest, state, submitted_at, state_changed_at)
         values ('Ada', $1, 'consulting', $2, ${submittedAt}, ${changedAt})`,
        [`${index}@x.org`, state],
      );
    }
    const removed = (await db.query(`select ${call} as removed`)).rows[0].removed;
    const { rows } = await db.query<{ index: number }>(
      "select split_part(email, '@', 1)::integer as index from contacts order by 1",
    );
    const left = rows.map(({ index }) => index);
    expect(Number(removed)).toBe(contacts.length - left.length);
    return left;
  } finally {
    await db.query("rollback");
    db.release();
  }
}

const second = "interval '1 second'";

test("a contact is removed after 24 months, not a second earlier, whatever its state", async () => {
  const states = ["new", "handled", "archived", "deleted"] as const;
  const months = "now() - interval '24 months'";
  const contacts = states.flatMap((state) => [
    { state, submittedAt: `${months} - ${second}`, changedAt: "now()" },
    { state, submittedAt: months },
    { state, submittedAt: `${months} + ${second}` },
  ]);
  expect(await removeFrom(contacts.map((one) => ({ changedAt: "now()", ...one })))).toEqual([1, 2, 4, 5, 7, 8, 10, 11]);
});

test("spam is removed 30 days after it came or was marked, not a second earlier", async () => {
  const state = "spam" as const;
  const days = "now() - interval '30 days'";
  const old = "now() - interval '5 years'";
  const left = await removeFrom([
    { state, submittedAt: `${days} - ${second}` },
    { state, submittedAt: `${days} + ${second}` },
    { state, submittedAt: old, changedAt: `${days} - ${second}` },
    { state, submittedAt: old, changedAt: `${days} + ${second}` },
    { state, submittedAt: "now() - interval '1 day'", changedAt: old },
    { state: "handled", submittedAt: `${days} - ${second}` },
  ]);
  expect(left).toEqual([1, 3, 4, 5]);
});

test("a deleted contact is removed 30 days after its deletion, and sooner where spam is, whatever it was", async () => {
  const state = "deleted" as const;
  const at = (days: number) => `now() - interval '${days} days'`;
  const contacts = [
    { state, submittedAt: at(300), changedAt: `${at(30)} - ${second}` },
    { state, submittedAt: at(300), changedAt: `${at(30)} + ${second}` },
    { state, submittedAt: at(300), changedAt: `${at(7)} - ${second}` },
    { state, submittedAt: at(6), changedAt: at(6) },
    { submittedAt: at(300) },
    // Both rules remove it.
    { state, submittedAt: at(3000), changedAt: at(31) },
  ];
  expect(await removeFrom(contacts)).toEqual([1, 2, 3, 4]);
  expect(await removeFrom(contacts, "private.remove_expired_contacts(24, 7)")).toEqual([3, 4]);
  expect(await removeFrom(contacts, "private.remove_expired_contacts(0, 0)")).toEqual([1, 2, 3, 4]);
});

test("both times can be set, and zero keeps contacts, or spam, for good", async () => {
  const contacts = [
    { state: "new", submittedAt: "now() - interval '32 days'" },
    { state: "spam", submittedAt: "now() - interval '32 days'" },
  ] as const;
  expect(await removeFrom(contacts, "private.remove_expired_contacts(1, 33)")).toEqual([1]);
  expect(await removeFrom(contacts, "private.remove_expired_contacts(0, 31)")).toEqual([0]);
  expect(await removeFrom(contacts, "private.remove_expired_contacts(spam_days => 0, contact_months => 1)")).toEqual([
    1,
  ]);
});

test("one call removes at most 5,000 of each kind, leaves locked contacts, and the next call removes the rest", async () => {
  const { owner } = database;
  await owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, state, state_changed_at)
      select 'Ada', n || '@x.org', 'consulting', now() - interval '3 years', case when n > 6000 then 'spam' else 'new' end,
        now() - interval '2 years'
      from generate_series(1, 6010) n;
    commit`);
  const other = await owner.connect();
  await other.query("begin");
  await other.query("select from contacts where email in ('1@x.org', '6001@x.org') for update");
  const remove = async () => Number((await owner.query("select private.remove_expired_contacts() as n")).rows[0].n);
  expect([await remove(), await remove(), await remove()]).toEqual([5009, 999, 0]);
  await other.query("rollback");
  other.release();
  expect([await remove(), await remove()]).toEqual([2, 0]);
});

test("server and privacy policy have the numbers of content/, which are the function's while they are the example's", async () => {
  const { contactMonths, spamDays } = readSettings({});
  expect({ contactMonths, spamDays }).toEqual(retention);
  expect(legalWords).toMatchObject({ contactMonths: String(contactMonths), spamDays: String(spamDays) });
  if (!isExample) return;
  const { rows } = await database.owner.query(
    "select pg_get_function_arguments('private.remove_expired_contacts'::regproc) as defaults",
  );
  expect(rows[0].defaults).toBe(
    `contact_months integer DEFAULT ${contactMonths}, spam_days integer DEFAULT ${spamDays}`,
  );
});

test("the removal finds expired contacts by an index", async () => {
  const { owner } = database;
  await owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, state)
      select 'Ada', n || '@x.org', 'consulting', now() - n * interval '1 hour', case when n % 9 = 0 then 'spam' else 'new' end
      from generate_series(1, 20000) n;
    commit; analyze contacts`);
  // PostgreSQL sends the plans of the function as notices.
  const plans: string[] = [];
  const db = await owner.connect();
  db.on("notice", ({ message = "" }) => plans.push(message));
  await db.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on; set client_min_messages = log`);
  await db.query("select private.remove_expired_contacts()");
  db.release(true);
  expect(plans.join("\n")).toMatch(/Index.* contacts_newest_first/);
});
