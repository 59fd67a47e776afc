import { giveRole } from "#server/auth/admin-roles";
import { requireAccount } from "./account.ts";
import type { CommandInput, CommandWork } from "./command.ts";
import { CommandError } from "./command-error.ts";

export async function grant({ email = "" }: CommandInput): Promise<CommandWork> {
  return async (owner) => {
    const account = await requireAccount(owner, email);
    // Anyone can sign up with anyone's address, and the password they chose stays when its owner confirms it.
    if (!account.email_confirmed_at) {
      throw new CommandError(
        `${account.email} has not confirmed the address yet, so it may be somebody else's account.`,
      );
    }
    const given = await giveRole(owner, account.id);
    return given ? `${account.email} can read the contacts now.` : `${account.email} could read the contacts already.`;
  };
}
