import type { ClientBase, Pool } from "pg";
import { CommandError } from "../report-problem.ts";

/**
 * Refuses the database of a hosted Supabase project: the project could not read the accounts that this server would
 * write there.
 */
export async function requireOwnAccounts(owner: Pool) {
  if (await hasOwnAccounts(owner)) return;
  throw new CommandError("These accounts belong to a hosted project: use its dashboard for that.");
}

/** Whether this server's auth API reads the accounts of the database, and not a hosted Supabase project. */
export async function hasOwnAccounts(db: Pick<Pool | ClientBase, "query">): Promise<boolean> {
  const { rows } = await db.query("select to_regclass('auth.signing_keys') is not null as ours");
  return rows[0].ours;
}
