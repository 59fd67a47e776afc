import { inTransaction } from "#server/database/transaction";
import { requireAccount } from "./account.ts";
import type { Order, Work } from "./order.ts";
import { takeRole } from "./role.ts";

export async function revoke({ email = "" }: Order): Promise<Work> {
  return (owner) =>
    inTransaction(owner, async (db) => {
      const user = await requireAccount(db, email);
      const taken = await takeRole(db, user.id);
      return taken ? `${user.email} cannot read the contacts any more.` : `${user.email} could not read the contacts.`;
    });
}
