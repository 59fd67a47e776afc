import type { Pool } from "pg";
import { findAdmins, grantAdminRole, revokeAdminRole } from "#server/auth/admin-roles";
import { CommandError, type CommandInput, type CommandWork, noAccount } from "./command.ts";

export async function grant({ email = "" }: CommandInput): Promise<CommandWork> {
  return async (owner) => {
    const account = await requireAccount(owner, email);
    // A stranger can sign up with any address. The stranger's password still works after the owner of the address has
    // confirmed the address.
    if (!account.email_confirmed_at) {
      throw new CommandError(
        `${account.email} has not confirmed the address yet, so it may be somebody else's account.`,
      );
    }
    const granted = await grantAdminRole(owner, account.id);
    return granted
      ? `${account.email} can read the contacts now.`
      : `${account.email} could read the contacts already.`;
  };
}

export async function revoke({ email = "" }: CommandInput): Promise<CommandWork> {
  return async (owner) => {
    const account = await requireAccount(owner, email);
    const revoked = await revokeAdminRole(owner, account.id);
    return revoked
      ? `${account.email} cannot read the contacts any more.`
      : `${account.email} could not read the contacts.`;
  };
}

export async function list(): Promise<CommandWork> {
  return async (owner) => {
    const admins = await findAdmins(owner);
    return admins.length > 0 ? admins.join("\n") : "Nobody can read the contacts yet.";
  };
}

/** An account with only those columns that also exist in a hosted Supabase project, so that `grant` works there too. */
interface Account {
  id: string;
  email: string;
  email_confirmed_at: Date | null;
}

async function requireAccount(owner: Pool, email: string): Promise<Account> {
  const { rows } = await owner.query<Account>("select id, email, email_confirmed_at from auth.users where email = $1", [
    email.trim().toLowerCase(),
  ]);
  if (!rows[0]) throw noAccount(email);
  return rows[0];
}
