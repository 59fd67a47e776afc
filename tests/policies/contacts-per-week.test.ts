import { beforeEach, expect, test } from "vitest";
import { createDatabase, createUser } from "../support/database.ts";

const database = await createDatabase();
const admin = await createUser(database, { admin: true });
const read = `select week::text, sum(contacts)::int as contacts, json_object_agg(interest, contacts) as by_interest
  from contacts_per_week group by week order by week`;

beforeEach(() => database.owner.query("delete from contacts"));

test("contacts_per_week shows an admin 26 weeks from Monday to Sunday, even empty weeks", async () => {
  const monday = "date_trunc('week', now() at time zone 'utc') at time zone 'utc'";
  await store(`${monday}`);
  await store(`${monday} - interval '1 microsecond'`);
  await store(`${monday} - interval '1 week'`);
  await store(`${monday} - interval '25 weeks'`);
  await store(`${monday} - interval '25 weeks 1 microsecond'`);

  const { rows } = await database.as(admin.claims, (db) => db.query(read));
  expect(rows.map(({ contacts }) => contacts)).toEqual([1, ...Array(23).fill(0), 2, 1]);
  expect(rows.at(-1).by_interest).toEqual({ consulting: 1, "co-development": 0, partnerships: 0 });
  for (const { week } of rows) expect(new Date(week).getUTCDay()).toBe(1);
});

test("contacts_per_week counts neither spam, whoever filed it, nor deleted contacts", async () => {
  await store("now()");
  await database.owner.query("update contacts set state = 'deleted'");
  await store("now()");
  await store("now()", "Too many.");
  await store("now()");
  await database.owner.query("update contacts set state = 'spam' where ctid = (select max(ctid) from contacts)");
  const counted = "select sum(contacts)::int as sum from contacts_per_week";
  expect((await database.as(admin.claims, (db) => db.query(counted))).rows).toEqual([{ sum: 1 }]);
});

function store(submittedAt: string, spamReason: string | null = null) {
  return database.owner.query(
    `insert into contacts (name, email, interest, submitted_at, spam_reason)
     values ('Ada', gen_random_uuid() || '@x.org', 'consulting', ${submittedAt}, $1)`,
    [spamReason],
  );
}
