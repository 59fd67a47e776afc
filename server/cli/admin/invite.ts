import { giveRole } from "#server/auth/admin-roles";
import { inviteAccount } from "#server/auth/operator-accounts";
import { inTransaction } from "#server/database/transaction";
import { accountRefusalText, requireOwnAccounts } from "./account.ts";
import type { CommandInput, CommandWork } from "./command.ts";
import { CommandError } from "./command-error.ts";

export async function invite({ email = "", admin, settings }: CommandInput): Promise<CommandWork> {
  if (settings.signUps === "closed") {
    throw new CommandError(
      `AUTH_SIGNUP is closed, so nobody is invited. To make the account yourself: npm run admin -- create ${email}`,
    );
  }
  return async (owner) => {
    await requireOwnAccounts(owner);
    const user = await inTransaction(owner, async (db) => {
      const invited = await inviteAccount(db, { email, redirectTo: `${settings.siteUrl}/` });
      if (admin) await giveRole(db, invited.id);
      return invited;
    }).catch(accountRefusalText(email));
    return `${user.email} is invited${admin ? " to read the contacts" : ""}. The running server sends the mail; without one, the next does.`;
  };
}
