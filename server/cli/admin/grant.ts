import { inTransaction } from "#server/database/transaction";
import { requireAccount } from "./account.ts";
import { CommandError } from "./command-error.ts";
import type { Order, Work } from "./order.ts";
import { giveRole } from "./role.ts";

export async function grant({ email = "" }: Order): Promise<Work> {
  return (owner) =>
    inTransaction(owner, async (db) => {
      const user = await requireAccount(db, email);
      // Anyone can sign up with anyone's address, and the password they chose stays when its owner confirms it.
      if (!user.email_confirmed_at) {
        throw new CommandError(
          `${user.email} has not confirmed the address yet, so it may be somebody else's account.`,
        );
      }
      const given = await giveRole(db, user.id);
      return given ? `${user.email} can read the contacts now.` : `${user.email} could read the contacts already.`;
    });
}
