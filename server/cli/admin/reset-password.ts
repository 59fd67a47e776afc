import { hashCredentials, resetPassword as reset } from "#server/auth/operator-accounts";
import { inTransaction } from "#server/database/transaction";
import { noAccount, requireOwnAccounts } from "./account.ts";
import type { CommandInput, CommandWork } from "./command.ts";
import { readPassword } from "./read-password.ts";

export async function resetPassword({
  email = "",
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
    const user = await inTransaction(owner, (db) => reset(db, credentials));
    if (!user) throw noAccount(email);
    return `${user.email} has a new password and is signed out everywhere.`;
  };
}
