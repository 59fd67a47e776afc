import { takeRole } from "#server/auth/admin-roles";
import { requireAccount } from "./account.ts";
import type { Order, Work } from "./command.ts";

export async function revoke({ email = "" }: Order): Promise<Work> {
  return async (owner) => {
    const account = await requireAccount(owner, email);
    const taken = await takeRole(owner, account.id);
    return taken
      ? `${account.email} cannot read the contacts any more.`
      : `${account.email} could not read the contacts.`;
  };
}
