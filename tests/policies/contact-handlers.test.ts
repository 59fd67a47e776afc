import type { ClientBase } from "pg";
import { beforeEach, expect, test } from "vitest";
import { createDatabase, createUser, service } from "../support/database.ts";

const database = await createDatabase();
const { owner } = database;
const ada = await createUser(database, { admin: true });
const grace = await createUser(database, { admin: true });
const member = await createUser(database);
const nobodysId = "00000000-0000-4000-8000-0000000000ff";

let id: string;
beforeEach(async () => {
  await owner.query("delete from contacts");
  [id = ""] = await store(1);
});

test("an administrator takes a contact, gives it away and lets it go; the database writes the time", async () => {
  const before = Date.now();
  for (const person of [ada.id, grace.id]) {
    expect(await give(ada.claims, person)).toBe(1);
    const { handled_by, handled_by_since } = await stored();
    expect(handled_by).toBe(person);
    expect(handled_by_since.getTime()).toBeGreaterThan(before - 1000);
  }
  expect(await give(ada.claims, null)).toBe(1);
  expect(await stored()).toMatchObject({ handled_by: null, handled_by_since: null });
});

test("the time tells since when the person has the contact, whatever else is changed", async () => {
  await give(ada.claims, ada.id);
  await owner.query("update contacts set handled_by_since = '2026-01-01Z'");
  await give(grace.claims, ada.id);
  await change(ada.claims, "state = 'handled', note = 'Called', name = 'Ada B'");
  expect((await stored()).handled_by_since).toEqual(new Date("2026-01-01Z"));
});

test.each([
  ["a member", member.id],
  ["an account that does not exist", nobodysId],
])("a contact is not given to %s, in the same words", async (_, person) => {
  const refusal = { code: "23514", message: "Only an administrator can take care of a contact." };
  await expect(give(ada.claims, person)).rejects.toMatchObject(refusal);
  await expect(give(service, person)).rejects.toMatchObject(refusal);
  expect(await stored()).toMatchObject({ handled_by: null });
});

test("a member cannot tell an administrator from a stranger: every change reaches no contact and says nothing", async () => {
  for (const person of [ada.id, member.id, nobodysId, null]) expect(await give(member.claims, person)).toBe(0);
  for (const condition of [`handled_by = '${ada.id}'`, "handled_by is null"])
    expect(await rows(member.claims, `select from contacts where ${condition}`)).toEqual([]);
});

test("marking a new contact as handled takes it, and taking that back gives it up", async () => {
  await change(ada.claims, "state = 'handled'");
  expect(await stored()).toMatchObject({ handled_by: ada.id });
  await change(grace.claims, "state = 'archived'");
  await change(grace.claims, "state = 'handled'");
  expect(await stored()).toMatchObject({ handled_by: ada.id });

  [id = ""] = await store(1);
  await change(ada.claims, "state = 'handled'");
  await change(grace.claims, "state = 'new'");
  expect(await stored()).toMatchObject({ handled_by: null, handled_by_since: null });
});

test("a contact that somebody took or was given stays with that person through changes of its state", async () => {
  await give(ada.claims, grace.id);
  for (const state of ["handled", "new", "spam", "new", "archived", "handled"]) {
    await change(ada.claims, `state = '${state}'`);
    expect(await stored(), state).toMatchObject({ handled_by: grace.id });
  }
});

test.each(["archived", "spam"])("marking a new contact as %s takes it for nobody", async (state) => {
  await change(ada.claims, `state = '${state}'`);
  expect(await stored()).toMatchObject({ handled_by: null });
});

test("only an administrator takes by a mark: not the operator, a secret key, or a caller of a further policy", async () => {
  await owner.query("update contacts set state = 'handled'");
  expect(await stored()).toMatchObject({ state: "handled", handled_by: null });
  [id = ""] = await store(1);
  await change(service, "state = 'handled'");
  expect(await stored()).toMatchObject({ state: "handled", handled_by: null });

  [id = ""] = await store(1);
  await owner.query(`create policy "all read" on contacts for select to authenticated using (true);
    create policy "all change" on contacts for update to authenticated using (true)`);
  await change(member.claims, "state = 'handled'");
  await owner.query(`drop policy "all read" on contacts; drop policy "all change" on contacts`);
  expect(await stored()).toMatchObject({ state: "handled", handled_by: null });
});

test("of two administrators who take a contact at the same moment one is refused, and no one waits for ever", async () => {
  const first = await begin(ada.claims);
  const second = await begin(grace.claims);
  const take = "update contacts set handled_by = $1 where id = $2 and handled_by is null";
  expect((await first.query(take, [ada.id, id])).rowCount).toBe(1);
  const waiting = second.query(take, [grace.id, id]);
  await expect
    .poll(async () => (await owner.query("select from pg_stat_activity where wait_event_type = 'Lock'")).rowCount)
    .toBe(1);
  await first.query("commit");
  expect((await waiting).rowCount).toBe(0);
  await second.query("commit");
  for (const db of [first, second]) db.release();
  expect(await stored()).toMatchObject({ handled_by: ada.id });
});

test("a former administrator's contacts keep their person, count as nobody's, and come back with the role", async () => {
  const former = await createUser(database, { admin: true });
  await give(ada.claims, former.id);
  // The inbox counts as nobody's what is with nobody in this list.
  const isListed = async () => (await administrators()).some((person) => person.user_id === former.id);
  expect(await isListed()).toBe(true);
  await owner.query("delete from user_roles where user_id = $1", [former.id]);
  expect(await isListed()).toBe(false);
  await expect(give(ada.claims, former.id)).resolves.toBe(1);

  await owner.query("insert into user_roles values ($1, 'admin')", [former.id]);
  expect(await isListed()).toBe(true);
  await owner.query("delete from auth.users where id = $1", [former.id]);
  expect(await isListed()).toBe(false);
  expect(await stored()).toMatchObject({ handled_by: former.id });
  expect(await change(ada.claims, `handled_by = '${ada.id}'`, `handled_by = '${former.id}'`)).toBe(1);
});

test("administrators see the addresses of all administrators", async () => {
  const of = (user: { id: string; email: string }) => ({ user_id: user.id, email: user.email });
  expect(await administrators()).toEqual(expect.arrayContaining([of(ada), of(grace)]));
  expect(await administrators()).not.toContainEqual(of(member));
});

test("the first reading counts, with the caller and the time of the database, whatever is sent", async () => {
  const before = Date.now();
  expect(await change(ada.claims, `read_by = '${grace.id}'`)).toBe(1);
  const first = await work();
  expect(first.read_by).toBe(ada.id);
  expect(first.read_at.getTime()).toBeGreaterThan(before - 1000);
  for (const value of [`'${grace.id}'`, "null"]) await change(grace.claims, `read_by = ${value}`);
  expect(await work()).toEqual(first);
});

test("a note has its last writer and time, and an emptied one none; other changes keep them", async () => {
  await change(ada.claims, "note = 'Called'");
  expect((await work()).note_by).toBe(ada.id);
  await change(grace.claims, "note = 'Called twice'");
  const last = await work();
  expect(last.note_by).toBe(grace.id);
  await change(ada.claims, "state = 'archived', note = 'Called twice'");
  expect(await work()).toEqual(last);
  await change(ada.claims, "note = ''");
  expect(await work()).toMatchObject({ note_by: null, note_at: null });
});

test("an erasure leaves no id and no time, and what it changes in a note is not its writer's", async () => {
  await change(ada.claims, `read_by = '${ada.id}', note = 'Knows Bea'`);
  const { note_at } = await work();
  await owner.query("update contacts set note = 'Knows (erased)', read_by = null");
  expect(await work()).toEqual({ read_by: null, read_at: null, note_by: ada.id, note_at });
  await owner.query("update contacts set note_by = null");
  expect(await work()).toMatchObject({ note_by: null, note_at: null });
});

async function store(count: number): Promise<string[]> {
  const { rows } = await owner.query(
    `insert into contacts (name, email, interest)
     select 'Ada', gen_random_uuid() || '@x.org', 'consulting' from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

async function stored() {
  const { rows } = await owner.query("select * from contacts where id = $1", [id]);
  return rows[0];
}

/** Who has read the contact and written its note, and when. */
async function work() {
  const { read_by, read_at, note_by, note_at } = await stored();
  return { read_by, read_at, note_by, note_at };
}

function give(claims: typeof ada.claims, person: string | null): Promise<number> {
  return change(claims, `handled_by = ${person === null ? "null" : `'${person}'`}`);
}

async function change(claims: typeof ada.claims, changes: string, condition = "true"): Promise<number> {
  const sql = `update contacts set ${changes} where id = $1 and ${condition}`;
  return (await database.as(claims, (db) => db.query(sql, [id]))).rowCount ?? 0;
}

async function begin(claims: typeof ada.claims): Promise<ClientBase & { release(): void }> {
  const db = await database.caller.connect();
  await db.query("begin");
  await db.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
    claims.role,
    JSON.stringify(claims),
  ]);
  return db;
}

async function rows(claims: typeof ada.claims, sql: string, values: unknown[] = []) {
  return (await database.as(claims, (db) => db.query(sql, values))).rows;
}

const administrators = () => rows(ada.claims, "select * from administrators()");
