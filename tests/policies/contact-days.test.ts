import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createDatabase, createUser, visitor } from "../support/database.ts";
import { fc } from "../support/property.ts";

const database = await createDatabase();
const admin = await createUser(database, { admin: true });
const { owner } = database;
afterAll(() => database.drop());

const close = async (recount = false) =>
  (await owner.query("select private.close_contact_days($1) as days", [recount])).rows[0].days;

/** Stores contacts of the last 200 days, of which the last 30 are not closed. */
beforeEach(async () => {
  await owner.query("truncate contacts");
  await owner.query(`begin; set local session_replication_role = replica;
    insert into contacts (name, email, interest, submitted_at, state)
      select n % 4, n || '@x.org', (array['consulting', 'co-development', 'partnerships'])[1 + n % 3],
        now() - n * interval '6 hours', (array['new', 'handled', 'spam'])[1 + n % 5 % 3]
      from generate_series(0, 800) n;
    commit`);
  await close(true);
  await owner.query(`update private.contact_days_border set open_from = open_from - 30;
    delete from private.contact_days d using private.contact_days_border b where d.day >= b.open_from`);
});

test("the chart equals a plain count while people and imports change contacts and days are closed", async () => {
  await expectTrueChart();
  const someDay = "now() - floor(random() * 200) * interval '1 day'";
  const some = "name = $1 and id in (select id from contacts where name = $1 order by random() limit 9)";
  const changes = {
    visitor: () =>
      database.as(visitor, (db) =>
        db.query(
          "insert into contacts (name, email, interest) values ('V', gen_random_uuid() || '@x.org', 'consulting')",
        ),
      ),
    import: (mine: string) =>
      owner.query(
        `insert into contacts (name, email, interest, submitted_at)
         select $1, gen_random_uuid() || '@x.org', 'partnerships', ${someDay} from generate_series(1, 9)`,
        [mine],
      ),
    file: (mine: string) => byAdmin(`update contacts set state = 'spam' where ${some}`, mine),
    takeBack: (mine: string) => byAdmin(`update contacts set state = 'new' where ${some}`, mine),
    archive: (mine: string) =>
      byAdmin(`update contacts set state = 'archived' where state <> 'spam' and ${some}`, mine),
    correct: (mine: string) => byAdmin(`update contacts set interest = 'co-development' where ${some}`, mine),
    redate: (mine: string) => owner.query(`update contacts set submitted_at = ${someDay} where ${some}`, [mine]),
    remove: (mine: string) => byAdmin(`delete from contacts where ${some}`, mine),
    close: () => close(),
  };
  // Each worker changes contacts of its own, so that only the counts could lead to a deadlock.
  const workers = ["0", "1", "2", "3"].map(async (mine) => {
    for (const change of fc.sample(fc.constantFrom(...Object.values(changes)), 40)) await change(mine);
  });
  await Promise.all(workers);
  await expectTrueChart();

  while ((await close()) === null);
  const { rowCount } = await owner.query("select from private.contact_days_border where open_from >= current_date - 1");
  expect(rowCount).toBe(1);
  await expectTrueChart();
});

test("a day is not closed while contacts are being written; a later call closes it", async () => {
  // Without triggers, as if the day had not been over when the contact was written.
  const db = await begin("set local session_replication_role = replica");
  await db.query(
    "insert into contacts (name, email, interest, submitted_at) values ('Ada', 'a@x.org', 'consulting', now() - interval '3 days')",
  );
  expect(await close()).toBe(null);
  await db.query("commit");
  expect(await close()).toBeGreaterThanOrEqual(30);
  await expectTrueChart();
});

test("a transaction that cannot see that a day was closed is refused a change of this day", async () => {
  const db = await begin("set transaction isolation level repeatable read");
  await db.query("select from contacts limit 1");
  await close();
  const age = "now() - submitted_at between interval '2 days' and interval '20 days'";
  await expect(db.query(`delete from contacts where ${age}`)).rejects.toMatchObject({ code: "40001" });
});

test("what was written without triggers is counted after a recount, or bit by bit by the daily calls", async () => {
  await close();
  await owner.query(
    "begin; set local session_replication_role = replica; delete from contacts where name = '1'; commit",
  );
  expect(await chart()).not.toEqual(await plainCount());
  expect(await close()).toBeLessThan(10);
  expect(await close(true)).toBe(27 * 7);
  await expectTrueChart();
});

test("a visitor's contact neither reads nor locks the counts", async () => {
  await begin("lock table private.contact_days, private.contact_days_border, private.contact_revision");
  await database.as(visitor, (db) =>
    db.query("insert into contacts (name, email, interest) values ('Ada', 'ada@x.org', 'consulting')"),
  );
});

/** A transaction that the end of the test rolls back. */
async function begin(sql: string) {
  const db = await owner.connect();
  onTestFinished(async () => {
    await db.query("rollback");
    db.release();
  });
  await db.query(`begin; ${sql}`);
  return db;
}

async function byAdmin(sql: string, mine: string) {
  await database.as(admin.claims, (db) => db.query(sql, [mine]));
}

async function expectTrueChart() {
  expect(await chart()).toEqual(await plainCount());
}

async function chart() {
  return database.as(admin.claims, async (db) => {
    const { rows } = await db.query("select week::text, interest, contacts from contacts_per_week order by 1, 2");
    return rows;
  });
}

/** The first definition of the chart, which looks at every contact. */
async function plainCount() {
  const { rows } = await owner.query(`
    select week::date::text, i.interest, count(c.id)::integer as contacts
    from (select date_trunc('week', now() at time zone 'utc') as begin) this_week
    cross join generate_series(this_week.begin - interval '25 weeks', this_week.begin, interval '1 week') as week
    cross join unnest(array['consulting', 'co-development', 'partnerships']) as i (interest)
    left join contacts c
      on c.interest = i.interest and c.state <> 'spam' and date_trunc('week', c.submitted_at at time zone 'utc') = week
    group by 1, 2 order by 1, 2`);
  return rows;
}
