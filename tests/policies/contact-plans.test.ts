import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, createUser } from "../support/database.ts";
import { insertOne } from "../support/send-contacts.ts";

const database = await createDatabase();
const admin = await createUser(database, { admin: true });

beforeAll(async () => {
  await database.owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, spam_reason)
      select 'Ada', n || '@x.org', 'consulting', now() - n * interval '5 minutes', case when n % 3 = 0 then 'x' end
      from generate_series(1, 20000) n;
    insert into private.contact_senders (address_hash, wide_network_hash, contact_id, stored_at)
      select sha256(n::text::bytea), sha256((n / 9)::text::bytea), gen_random_uuid(), now() - n * interval '0.2 seconds'
      from generate_series(1, 20000) n;
    commit; analyze contacts, private.contact_senders`);
});
afterAll(() => database.drop());

test("the rules of contacts find everything by an index among 20,000 contacts", async () => {
  // PostgreSQL sends the plans that the triggers use as notices.
  const sender = new pg.Client(database.connection);
  const plans: string[] = [];
  sender.on("notice", ({ message = "" }) => plans.push(message));
  await sender.connect();
  await sender.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on; set client_min_messages = log`);

  await send(sender, "first@x.org", "Ada");
  await expect(send(sender, "first@x.org", "Grace")).rejects.toMatchObject({ code: "PT429" });
  // Makes the next contact spam, for which there is one more rule.
  await database.owner.query(`insert into private.contact_senders
    select s.* from private.contact_senders s join contacts c on c.id = s.contact_id, generate_series(1, 60)`);
  await send(sender, "spam@x.org", "Ada");
  await sender.end();

  expect(namesAfter("Seq Scan on", plans)).toEqual([]);
  expect(namesAfter("(?:Index Scan on|Scan.* using)", plans)).toEqual([
    "contact_senders_by_address",
    "contact_senders_by_age",
    "contact_senders_by_wide_network",
    "contacts_by_email",
    "contacts_spam",
  ]);
});

test("a function whose plans look expensive is not compiled for each contact", async () => {
  // PostgreSQL 18 no longer counts a forbidden scan as expensive, and many builds have no JIT, so the settings are compared.
  const { rows } = await database.owner.query(`select proname as name, proconfig @> array['jit=off'] as "withoutJit"
    from pg_proc where proconfig @> array['enable_seqscan=off']`);
  expect(rows).toEqual([{ name: "limit_contacts", withoutJit: true }]);
});

test.each([
  ["list", "select * from contacts order by submitted_at desc, id limit 25 offset 50", "contacts_newest_first"],
  ["chart", "select week, contacts from contacts_per_week order by week", "contacts_newest_first"],
])("the %s of the inbox finds its contacts by an index among 20,000", async (_, sql, index) => {
  const { rows } = await database.as(admin.claims, (db) => db.query(`explain ${sql}`));
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(namesAfter("Seq Scan on", [plan])).toEqual([]);
  expect(namesAfter("(?:Index Scan on|Scan.* using)", [plan])).toEqual([index]);
});

async function send(sender: pg.Client, email: string, name: string) {
  await sender.query("begin");
  try {
    const headers = JSON.stringify({ "x-forwarded-for": "2001:db8::1" });
    await sender.query("select set_config('role', 'anon', true), set_config('request.headers', $1, true)", [headers]);
    await sender.query(insertOne, [name, email]);
    await sender.query("commit");
  } catch (error) {
    await sender.query("rollback");
    throw error;
  }
}

/** The tables and indexes of contacts and their senders that follow these words in the plans, each once. */
function namesAfter(words: string, plans: readonly string[]): string[] {
  const name = new RegExp(`${words} (contact\\w+)`, "g");
  return [...new Set(plans.flatMap((plan) => [...plan.matchAll(name)].map(([, found = ""]) => found)))].sort();
}
