import { beforeEach, expect, test } from "vitest";
import { createDatabase, createUser, visitor } from "../support/database.ts";

const database = await createDatabase();
beforeEach(() => database.owner.query("delete from contacts"));

test("a former admin reads no contacts", async () => {
  const former = await createUser(database, { admin: true });
  const send =
    "insert into contacts (name, company, email, interest) values ('Ada', 'Engines', 'ada@x.org', 'consulting')";
  await database.as(visitor, (db) => db.query(send));
  const read = async () => (await database.as(former.claims, (db) => db.query("select * from contacts"))).rowCount;
  expect(await read()).toBe(1);
  await database.owner.query("delete from user_roles where user_id = $1", [former.id]);
  expect(await read()).toBe(0);
});

test.each([
  ["submitted_at", "infinity"],
  ["submitted_at", "1999-12-31T23:59:59Z"],
  ["state_changed_at", "-infinity"],
  ["state_changed_at", "2200-01-01T00:00:00Z"],
  ["handled_by", "00000000-0000-4000-8000-0000000000ff"],
  ["handled_by_since", "2026-01-01Z"],
  ["read_by", "00000000-0000-4000-8000-0000000000ff"],
  ["note_at", "2026-01-01Z"],
])("no contact has the %s %s without a person or a time beside it, not even one of a backup", async (column, value) => {
  const insert = `insert into contacts (name, email, interest, ${column}) values ('Ada', 'ada@x.org', 'consulting', $1)`;
  await expect(database.owner.query(insert, [value])).rejects.toMatchObject({ code: "23514", table: "contacts" });
});

test("two admins who change the same contacts in opposite orders wait for each other without a deadlock", async () => {
  const { owner, caller } = database;
  await owner.query(`begin; set local session_replication_role = replica; delete from contacts;
    insert into contacts (id, name, email, interest)
      select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'Ada', n || '@x.org', 'consulting'
      from unnest(array[3, 2, 1]) n; commit`);
  const { claims } = await createUser(database, { admin: true });
  const change = async (plan: string) => {
    const db = await caller.connect();
    try {
      const settings = "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)";
      await db.query(`begin; set local enable_bitmapscan = off; set local ${plan} = off`);
      await db.query(settings, [JSON.stringify(claims)]);
      const { rowCount } = await db.query(
        "update contacts set state = 'handled' where id > '00000000-0000-4000-8000-000000000000'",
      );
      await db.query("commit");
      return rowCount;
    } finally {
      db.release(true);
    }
  };

  const holder = await owner.connect();
  await holder.query("begin; select from contacts where email = '2@x.org' for update");
  // One reads the table from its beginning, the other follows the primary key. Both need the contact in the middle.
  const changes = Promise.all([change("enable_indexscan"), change("enable_seqscan")]);
  const waiting = `select from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`;
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { interval: 20 }).toBe(2);
  await holder.query("commit");
  holder.release();
  expect(await changes).toEqual([3, 3]);
});

const admin = await createUser(database, { admin: true });
const readWeeks = `select week::text, sum(contacts)::int as contacts, json_object_agg(interest, contacts) as by_interest
  from contacts_per_week group by week order by week`;

test("contacts_per_week shows an admin 26 weeks from Monday to Sunday, even empty weeks", async () => {
  const monday = "date_trunc('week', now() at time zone 'utc') at time zone 'utc'";
  await store(`${monday}`);
  await store(`${monday} - interval '1 microsecond'`);
  await store(`${monday} - interval '1 week'`);
  await store(`${monday} - interval '25 weeks'`);
  await store(`${monday} - interval '25 weeks 1 microsecond'`);

  const { rows } = await database.as(admin.claims, (db) => db.query(readWeeks));
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
