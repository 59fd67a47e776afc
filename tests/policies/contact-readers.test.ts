import { beforeEach, expect, test } from "vitest";
import { createDatabase, createUser } from "../support/database.ts";

const database = await createDatabase();
const { owner } = database;
const ada = await createUser(database, { admin: true });
const grace = await createUser(database, { admin: true });

let id: string;
beforeEach(async () => {
  const insert = "insert into contacts (name, email, interest) values ('Ada', 'ada@y.org', 'consulting') returning id";
  await owner.query("delete from contacts");
  id = (await owner.query(insert)).rows[0].id;
});

test("the first reading counts, with the caller and the time of the database, whatever is sent", async () => {
  const before = Date.now();
  expect(await change(ada, `read_by = '${grace.id}'`)).toBe(1);
  const first = await stored();
  expect(first.read_by).toBe(ada.id);
  expect(first.read_at.getTime()).toBeGreaterThan(before - 1000);
  for (const value of [`'${grace.id}'`, "null"]) await change(grace, `read_by = ${value}`);
  expect(await stored()).toEqual(first);
});

test("a note has its last writer and time, and an emptied one none; other changes keep them", async () => {
  await change(ada, "note = 'Called'");
  expect((await stored()).note_by).toBe(ada.id);
  await change(grace, "note = 'Called twice'");
  const last = await stored();
  expect(last.note_by).toBe(grace.id);
  await change(ada, "state = 'archived', note = 'Called twice'");
  expect(await stored()).toEqual(last);
  await change(ada, "note = ''");
  expect(await stored()).toMatchObject({ note_by: null, note_at: null });
});

test("an erasure leaves no id and no time, and what it changes in a note is not its writer's", async () => {
  await change(ada, `read_by = '${ada.id}', note = 'Knows Bea'`);
  const { note_at } = await stored();
  await owner.query("update contacts set note = 'Knows (erased)', read_by = null");
  expect(await stored()).toEqual({ read_by: null, read_at: null, note_by: ada.id, note_at });
  await owner.query("update contacts set note_by = null");
  expect(await stored()).toMatchObject({ note_by: null, note_at: null });
});

async function change({ claims }: typeof ada, changes: string) {
  return (await database.as(claims, (db) => db.query(`update contacts set ${changes} where id = $1`, [id]))).rowCount;
}

async function stored() {
  return (await owner.query("select read_by, read_at, note_by, note_at from contacts where id = $1", [id])).rows[0];
}
