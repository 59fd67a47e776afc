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

async function hasRole(claims: Claims, userId: string | null): Promise<boolean> {
  const { rows } = await database.as(claims, (db) => db.query("select has_role($1, 'admin') as answer", [userId]));
  return rows[0].answer;
}
