import type { ClientBase, Pool } from "pg";
import type { Database } from "#backend/database/transaction";

/** Returns false if the account is an admin already. */
export async function grantAdminRole(db: Pool | ClientBase, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "insert into public.user_roles (user_id, role) values ($1, 'admin') on conflict do nothing",
    [userId],
  );
  return rowCount === 1;
}

/** Returns false if the account is no admin. Policies check the role at every statement, so access ends at once. */
export async function revokeAdminRole(owner: Pool, userId: string): Promise<boolean> {
  const sql = "delete from public.user_roles where user_id = $1 and role = 'admin'";
  const { rowCount } = await owner.query(sql, [userId]);
  return rowCount === 1;
}

export async function isAdmin(db: Database, { id }: { id: string }): Promise<boolean> {
  const { rowCount } = await db.query("select from public.user_roles where user_id = $1 and role = 'admin'", [id]);
  return rowCount === 1;
}

export async function findAdmins(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    `select u.email from public.user_roles r join auth.users u on u.id = r.user_id where r.role = 'admin' order by u.email`,
  );
  return rows.map(({ email }) => email);
}

/**
 * Tells the database, which decides, whether every admin needs a second factor to read contacts. Holds for open
 * sessions too. Returns whether this changed the rule.
 */
export async function setSecondFactorRule(owner: Pool, required: boolean): Promise<boolean> {
  // The subquery reads the rule as it was before the statement.
  const { rows } = await owner.query<{ before: boolean | null }>(
    "select (select required from private.second_factor_rule) as before, private.set_second_factor_rule($1)",
    [required],
  );
  return rows[0]?.before !== required;
}
