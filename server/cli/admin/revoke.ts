import { takeRole } from "#server/auth/admin-roles";
import { requireAccount } from "./account.ts";
import type { CommandInput, CommandWork } from "./command.ts";

export async function revoke({ email = "" }: CommandInput): Promise<CommandWork> {
  return async (owner) => {
    const account = await requireAccount(owner, email);
    const taken = await takeRole(owner, account.id);
    return taken
      ? `${account.email} cannot read the contacts any more.`
      : `${account.email} could not read the contacts.`;
  };
}
