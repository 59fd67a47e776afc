import { afterAll, beforeEach, expect, test } from "vitest";
import { createDatabase, createUser, service, visitor } from "../support/database.ts";

const database = await createDatabase();
const member = await createUser(database);
const admin = await createUser(database, { admin: true });

const send =
  "insert into contacts (name, company, email, interest) values ('Ada', 'Engines', 'ada@x.org', 'consulting')";

beforeEach(() => database.owner.query("delete from contacts"));
afterAll(() => database.drop());

test("a visitor can send a contact but cannot read the contact", async () => {
  await database.as(visitor, (db) => db.query(send));
  expect(await contactsInAll()).toBe(1);
  await expect(database.as(visitor, (db) => db.query("select name from contacts"))).rejects.toMatchObject(denied);
  await expect(database.as(visitor, (db) => db.query(`${send} returning id`))).rejects.toMatchObject(denied);
});

test("a signed-in visitor can send a contact but cannot read the contact", async () => {
  await database.as(member.claims, (db) => db.query(send));
  expect(await contactsInAll()).toBe(1);
  const { rows } = await database.as(member.claims, (db) => db.query("select * from contacts"));
  expect(rows).toEqual([]);
});

test("an admin reads all fields of a contact that a visitor sent", async () => {
  await database.as(visitor, (db) => db.query(send));
  const { rows } = await database.as(admin.claims, (db) => db.query("select * from contacts"));
  expect(rows).toMatchObject([{ name: "Ada", company: "Engines", email: "ada@x.org", interest: "consulting" }]);
  expect(Object.keys(rows[0])).toEqual(["id", "name", "company", "email", "interest", "submitted_at", "spam_reason"]);
});

test.each([
  ["id", "gen_random_uuid()"],
  ["submitted_at", "now() - interval '1 year'"],
])("visitors, members and admins cannot choose the %s of a contact", async (column, value) => {
  const forged = `insert into contacts (name, company, email, interest, ${column})
                  values ('Ada', 'Engines', 'ada@x.org', 'consulting', ${value})`;
  for (const { claims } of [{ claims: visitor }, member, admin])
    await expect(database.as(claims, (db) => db.query(forged))).rejects.toMatchObject(denied);
});

test.each([
  "update contacts set name = 'Grace'",
  "delete from contacts",
  "truncate contacts",
  "select from contacts for update",
  "insert into contacts (name, company, email, interest) values ('A', 'B', 'a@x.org', 'consulting') on conflict (id) do update set name = 'x'",
])("no visitor, member or admin may run: %s", async (sql) => {
  await database.as(visitor, (db) => db.query(send));
  for (const { claims } of [{ claims: visitor }, member, admin])
    await expect(database.as(claims, (db) => db.query(sql))).rejects.toMatchObject(denied);
  expect(await contactsInAll()).toBe(1);
});

test("a caller with a secret key can insert, read, update and delete contacts", async () => {
  await database.as(service, async (db) => {
    await db.query(send);
    await db.query("update contacts set name = 'Grace'");
    expect((await db.query("select name from contacts")).rows).toEqual([{ name: "Grace" }]);
    await db.query("delete from contacts");
  });
  expect(await contactsInAll()).toBe(0);
});

test("a former admin reads no contacts", async () => {
  const former = await createUser(database, { admin: true });
  await database.as(visitor, (db) => db.query(send));
  await database.owner.query("delete from user_roles where user_id = $1", [former.id]);
  const { rows } = await database.as(former.claims, (db) => db.query("select * from contacts"));
  expect(rows).toEqual([]);
});

const denied = { code: "42501" };

async function contactsInAll(): Promise<number> {
  return (await database.owner.query("select from contacts")).rowCount ?? 0;
}
