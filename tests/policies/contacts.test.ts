import { afterAll, expect, test } from "vitest";
import { createDatabase, createUser, visitor } from "../support/database.ts";

const database = await createDatabase();
afterAll(() => database.drop());

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
  ["note_version", 1_000_000_001],
])("no contact has the %s %s", async (column, value) => {
  const insert = `insert into contacts (name, email, interest, ${column}) values ('Ada', 'ada@x.org', 'consulting', $1)`;
  await expect(database.owner.query(insert, [value])).rejects.toMatchObject({ code: "23514", table: "contacts" });
});
