import { expect, test } from "vitest";
import { createDatabase, createUser } from "../support/database.ts";

const database = await createDatabase();

const noUser = "00000000-0000-0000-0000-000000000000";

async function changes() {
  const { rows } = await database.owner.query(
    `select payload from auth.audit_log_entries where payload ->> 'action' like 'role%' order by payload ->> 'action'`,
  );
  await database.owner.query("truncate auth.audit_log_entries");
  return rows.map(({ payload }) => payload);
}

test("the audit log records each granted and revoked role with its user", async () => {
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
