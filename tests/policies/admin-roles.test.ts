import { expect, test } from "vitest";
import type { Claims } from "#backend/database/as-caller";
import { createDatabase, createUser, service } from "../support/database.ts";

const database = await createDatabase();
const member = await createUser(database);
const admin = await createUser(database, { admin: true });

test("has_role answers true to an admin and false to a member who ask about themselves", async () => {
  expect(await hasRole(admin.claims, admin.id)).toBe(true);
  expect(await hasRole(member.claims, member.id)).toBe(false);
});

test("has_role answers false about other users, even if they are admins", async () => {
  expect(await hasRole(member.claims, admin.id)).toBe(false);
  expect(await hasRole(admin.claims, member.id)).toBe(false);
  expect(await hasRole(admin.claims, null)).toBe(false);
});

test("has_role answers a caller with a secret key correctly about every user", async () => {
  expect(await hasRole(service, admin.id)).toBe(true);
  expect(await hasRole(service, member.id)).toBe(false);
});

test("has_role reads public.user_roles, even if the caller sets another search_path", async () => {
  const answer = await database.as(member.claims, async (db) => {
    await db.query("create temporary table user_roles (user_id uuid, role app_role) on commit drop");
    await db.query("insert into pg_temp.user_roles values ($1, 'admin')", [member.id]);
    await db.query("set local search_path = pg_temp, public");
    return (await db.query("select public.has_role($1, 'admin') as answer", [member.id])).rows[0].answer;
  });
  expect(answer).toBe(false);
});

test("a caller with a secret key can grant a role; deleting the account ends the role", async () => {
  const next = await createUser(database);
  await database.as(service, (db) => db.query("insert into user_roles values ($1, 'admin')", [next.id]));
  expect(await hasRole(next.claims, next.id)).toBe(true);
  await database.owner.query("delete from auth.users where id = $1", [next.id]);
  expect(await hasRole(next.claims, next.id)).toBe(false);
});

const noUser = "00000000-0000-0000-0000-000000000000";

async function changes() {
  const { rows } = await database.owner.query(
    `select payload from auth.audit_log_entries where payload ->> 'action' like 'role%' order by payload ->> 'action'`,
  );
  await database.owner.query("truncate auth.audit_log_entries");
  return rows.map(({ payload }) => payload);
}

test("the audit log records each granted and revoked role with its user", async () => {
  await changes();
  const { id, email } = await createUser(database, { admin: true });
  const { user } = database.connection;
  const entry = { actor_id: noUser, actor_username: user };
  const traits = { user_id: id, user_email: email, role: "admin" };
  expect(await changes()).toEqual([{ ...entry, action: "role_granted", traits }]);

  await database.owner.query("delete from public.user_roles where user_id = $1", [id]);
  expect(await changes()).toEqual([{ ...entry, action: "role_revoked", traits }]);
});

test("the audit log records a role moved to another account or deleted with its account", async () => {
  const [from, to] = [await createUser(database, { admin: true }), await createUser(database)];
  await changes();
  await database.owner.query("update public.user_roles set user_id = $2 where user_id = $1", [from.id, to.id]);
  expect(await changes()).toMatchObject([
    { action: "role_granted", traits: { user_id: to.id } },
    { action: "role_revoked", traits: { user_id: from.id } },
  ]);

  await database.owner.query("delete from auth.users where id = $1", [to.id]);
  expect(await changes()).toMatchObject([{ action: "role_revoked", traits: { user_id: to.id, user_email: null } }]);
});

async function hasRole(claims: Claims, userId: string | null): Promise<boolean> {
  const { rows } = await database.as(claims, (db) => db.query("select has_role($1, 'admin') as answer", [userId]));
  return rows[0].answer;
}
