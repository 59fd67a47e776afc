import type { Pool } from "pg";
import { findAdmins, grantAdminRole, revokeAdminRole } from "#backend/auth/admin-roles";
import { normalizeEmail } from "#backend/auth/normalize-email";
import { hasUnprovedPassword, removePassword } from "#backend/auth/operator-accounts";
import { readMigrationState } from "#backend/database/migrations";
import { inTransaction } from "#backend/database/transaction";
import { StartError } from "#process/start-error";
import { queueAccountMail as queueMail } from "#server/jobs/account-mails";
import { requireOwnAccounts } from "../open-for-command.ts";
import { type CommandInput, noAccount, whenServed } from "./command.ts";

/**
 * Gives an account the right to read contacts, and mails that to its address. The account's password may be that of a
 * stranger who signed up before the owner confirmed the address. The command names such a password, and `--new-password`
 * removes it (docs/protocol.md#an-unproved-password).
 */
export async function grant({ email, given, settings, owner, isServed }: CommandInput): Promise<string> {
  const isNewPassword = given["new-password"];
  if (isNewPassword) await requireOwnAccounts(owner);
  const account = await requireAccount(owner, email);
  if (!account.email_confirmed_at) {
    throw new StartError(`${account.email} has not confirmed the address yet, so it may be somebody else's account.`);
  }
  const { isHosted } = await readMigrationState(owner);
  const describe = (granted: boolean) =>
    granted
      ? `${account.email} can read the contacts ${whenServed(isHosted || isServed)}.`
      : `${account.email} could already read the contacts.`;
  if (isHosted) return describe(await grantAdminRole(owner, account.id));

  const redirectTo = `${settings.siteUrl}/`;
  return inTransaction(owner, async (db) => {
    const granted = await grantAdminRole(db, account.id);
    const sentences = [describe(granted)];
    if (granted) {
      const mail = { kind: "contacts-granted", email: account.email, redirectTo } as const;
      await queueMail(db, mail);
      sentences.push("An email tells its owner.");
    }
    if (isNewPassword) {
      await removePassword(db, account.email, { redirectTo, queueMail });
      sentences.push("It is logged out everywhere and has no password now. An email asks its owner to choose one.");
    } else if (await hasUnprovedPassword(db, account.id)) {
      sentences.push(
        `Its password was set before the address was confirmed, so it may be a stranger's. To have its owner choose a new one: npm run admin -- grant ${account.email} --new-password`,
      );
    }
    return sentences.join("\n");
  });
}

export async function revoke({ email, owner }: CommandInput): Promise<string> {
  const account = await requireAccount(owner, email);
  return (await revokeAdminRole(owner, account.id))
    ? `${account.email} cannot read the contacts any more.`
    : `${account.email} had no access to the contacts, so nothing changed.`;
}

export async function list({ owner }: CommandInput): Promise<string> {
  const admins = await findAdmins(owner);
  return admins.length > 0 ? admins.join("\n") : "No one can read the contacts yet.";
}

/** An account with only those columns that also exist in a hosted Supabase project, so that `grant` works there too. */
interface Account {
  id: string;
  email: string;
  email_confirmed_at: Date | null;
}

async function requireAccount(owner: Pool, email: string): Promise<Account> {
  const { rows } = await owner.query<Account>("select id, email, email_confirmed_at from auth.users where email = $1", [
    normalizeEmail(email),
  ]);
  if (!rows[0]) throw noAccount(email);
  return rows[0];
}
