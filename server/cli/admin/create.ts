import { giveRole } from "#server/auth/admin-roles";
import { createConfirmedAccount, hashCredentials } from "#server/auth/operator-accounts";
import { inTransaction } from "#server/database/transaction";
import { accountRefusalText, requireOwnAccounts } from "./account.ts";
import type { CommandInput, CommandWork } from "./command.ts";
import { readPassword } from "./read-password.ts";

export async function create({
  email = "",
  admin,
  passwordFromStdin,
  settings,
  input,
  hasher,
}: CommandInput): Promise<CommandWork> {
  const { passwordCharactersMin: charactersMin } = settings;
  const password = await readPassword(input, passwordFromStdin);
  return async (owner) => {
    await requireOwnAccounts(owner);
    const credentials = await hashCredentials({ email, password }, { hasher, charactersMin });
    const user = await inTransaction(owner, async (db) => {
      const created = await createConfirmedAccount(db, credentials);
      if (admin) await giveRole(db, created.id);
      return created;
    }).catch(accountRefusalText(email));
    return `${user.email} can log in now${admin ? " and read the contacts" : ""}.`;
  };
}
