import { createConfirmedAccount } from "#server/auth/accounts";
import { inTransaction } from "#server/database/transaction";
import { Refusal } from "#server/refusal";
import { requireOwnAccounts } from "./account.ts";
import { CommandError } from "./command-error.ts";
import type { Order, Work } from "./order.ts";
import { readPassword } from "./read-password.ts";
import { giveRole } from "./role.ts";

export async function create({
  email = "",
  admin,
  passwordFromStdin,
  passwordCharactersMin: charactersMin,
}: Order): Promise<Work> {
  const password = await readPassword(passwordFromStdin);
  return async (owner) => {
    await requireOwnAccounts(owner);
    const user = await inTransaction(owner, async (db) => {
      const created = await createConfirmedAccount(db, { email, password, charactersMin });
      if (admin) await giveRole(db, created.id);
      return created;
    }).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === "user_already_exists")) throw error;
      throw new CommandError(
        `${email} has an account already. To let it read the contacts: npm run admin -- grant ${email}`,
      );
    });
    return `${user.email} can log in now${admin ? " and read the contacts" : ""}.`;
  };
}
