import type { ClientBase, Pool } from "pg";

/** Answers whether that changed anything. */
export async function giveRole(db: Pool | ClientBase, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "insert into public.user_roles (user_id, role) values ($1, 'admin') on conflict do nothing",
    [userId],
  );
  return rowCount === 1;
}

/** Answers whether that changed anything. Policies ask for the role at every statement, so it holds at once. */
export async function takeRole(owner: Pool, userId: string): Promise<boolean> {
  const { rowCount } = await owner.query("delete from public.user_roles where user_id = $1 and role = 'admin'", [
    userId,
  ]);
  return rowCount === 1;
}

/** The addresses of all admins. */
export async function findAdmins(owner: Pool): Promise<string[]> {
  const { rows } = await owner.query<{ email: string }>(
    `select u.email from public.user_roles r join auth.users u on u.id = r.user_id where r.role = 'admin' order by u.email`,
  );
  return rows.map(({ email }) => email);
}

/** Whether anybody can read the contacts: until then the start says how to make it so. */
export async function hasAdmin(owner: Pool): Promise<boolean> {
  const { rowCount } = await owner.query("select from public.user_roles where role = 'admin' limit 1");
  return rowCount === 1;
}
