import type { Pool } from "pg";
import { Refusal } from "#server/http/refusal";
import { CommandError } from "./command-error.ts";

/** The columns that a hosted project's accounts have as well, so that roles can be given there too. */
interface Account {
  id: string;
  email: string;
  email_confirmed_at: Date | null;
}

export async function requireAccount(owner: Pool, email: string): Promise<Account> {
  const { rows } = await owner.query<Account>("select id, email, email_confirmed_at from auth.users where email = $1", [
    email.trim().toLowerCase(),
  ]);
  if (!rows[0]) throw noAccount(email);
  return rows[0];
}

export function noAccount(email: string) {
  return new CommandError(`${email} has no account. To make one: npm run admin -- create ${email}`);
}

/** What to say instead of the refusal of an address that is taken. Any other error is thrown on. */
export function accountRefusalText(email: string) {
  return (error: unknown): never => {
    if (!(error instanceof Refusal && error.code === "user_already_exists")) throw error;
    throw new CommandError(
      `${email} has an account already. To let it read the contacts: npm run admin -- grant ${email}`,
    );
  };
}

/** A hosted project keeps its accounts by itself: what we would write into its tables, it could not read. */
export async function requireOwnAccounts(owner: Pool) {
  const { rows } = await owner.query("select to_regclass('auth.signing_keys') is not null as ours");
  if (!rows[0].ours) throw new CommandError("These accounts belong to a hosted project: use its dashboard for that.");
}
