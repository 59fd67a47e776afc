import type { ClientBase } from "pg";
import { grantAdminRole } from "#backend/auth/admin-roles";
import { requireEmail } from "#backend/auth/normalize-email";
import * as accounts from "#backend/auth/operator-accounts";
import { lockUserByEmail, type User } from "#backend/auth/users";
import { inTransaction } from "#backend/database/transaction";
import { Refusal } from "#backend/http/refusal";
import { StartError } from "#process/start-error";
import { queueAccountMail as queueMail } from "#server/jobs/account-mails";
import type { Settings } from "#server/settings";
import { type CommandInput, noAccount, whenServed } from "./command.ts";

export async function create(command: CommandInput): Promise<string> {
  const { given, isServed } = command;
  const credentials = await hashCredentials(command);
  const user = await addAccount(command, (db) => accounts.createConfirmedAccount(db, credentials));
  return `${user.email} can log in${given.admin ? " and read the contacts" : ""} ${whenServed(isServed)}.`;
}

/** Needs no database, so that none is started for an invitation that is refused. */
export function requireInvitations({ signUps }: Pick<Settings, "signUps">, email: string) {
  if (signUps !== "closed") return;
  throw new StartError(
    `AUTH_SIGNUP is closed, so no invitation was sent. To create the account yourself: npm run admin -- create ${email}`,
  );
}

export async function invite(command: CommandInput): Promise<string> {
  const { email, given, settings, isServed } = command;
  const invitation = { email, redirectTo: `${settings.siteUrl}/`, queueMail };
  const user = await addAccount(command, (db) => accounts.inviteAccount(db, invitation));
  const mail = isServed ? "The running server sends the email." : `The email is sent ${whenServed(isServed)}.`;
  return `${user.email} is invited${given.admin ? " to read the contacts" : ""}. ${mail}`;
}

export async function resetPassword(command: CommandInput): Promise<string> {
  const credentials = await hashCredentials(command);
  const user = await inTransaction(command.owner, (db) => accounts.resetPassword(db, credentials));
  if (!user) throw noAccount(command.email);
  return `${user.email} has a new password and is logged out everywhere.`;
}

/** For an account whose owner has lost the phone and the recovery codes. The password stays. */
export async function resetMfa({ email, owner }: CommandInput): Promise<string> {
  return inTransaction(owner, async (db) => {
    const user = await lockUserByEmail(db, requireEmail(email));
    if (!user) throw noAccount(email);
    return (await accounts.resetSecondFactor(db, user, queueMail))
      ? `${user.email} no longer has a second factor or recovery codes, and is logged out everywhere. An email tells its owner.`
      : `${user.email} has no second factor.`;
  });
}

function hashCredentials({ email, password, settings, hasher }: CommandInput) {
  return accounts.hashCredentials({ email, password }, { hasher, charactersMin: settings.passwordCharactersMin });
}

/** With `--admin` it may read the contacts. The refusal "User already registered" becomes advice for the operator. */
function addAccount({ email, given, owner }: CommandInput, add: (db: ClientBase) => Promise<User>): Promise<User> {
  return inTransaction(owner, async (db) => {
    const user = await add(db);
    if (given.admin) await grantAdminRole(db, user.id);
    return user;
  }).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === "user_already_exists")) throw error;
    throw new StartError(
      `${email} already has an account. To let it read the contacts: npm run admin -- grant ${email}`,
    );
  });
}
