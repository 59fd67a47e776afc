import { expect, test } from "vitest";
import { createDatabase, createUser, visitor } from "../support/database.ts";

const database = await createDatabase();

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
