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
