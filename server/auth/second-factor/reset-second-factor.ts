import type { ClientBase } from "pg";
import { writeAuditLog } from "../audit-log.ts";
import { endSessions } from "../sessions/sessions.ts";
import type { User } from "../users.ts";
import { mailAboutSecondFactor } from "./mail-about-second-factor.ts";
import { removeRecoveryCodes } from "./recovery-codes.ts";

/**
 * For an operator: removes all factors and recovery codes of an account, ends its sessions and mails its owner. Returns
 * false, and does nothing, if the account has no second factor. The caller must have locked the account.
 */
export async function resetSecondFactor(db: ClientBase, user: User): Promise<boolean> {
  const now = new Date();
  // The factors of `user` may be as they were before this transaction waited for the lock.
  const { rowCount } = await db.query(
    `delete from auth.mfa_factors where user_id = $1
       and exists (select from auth.mfa_factors where user_id = $1 and status = 'verified')`,
    [user.id],
  );
  if (!rowCount) return false;
  await removeRecoveryCodes(db, user);
  await endSessions(db, user.id);
  await writeAuditLog(db, { action: "second_factor_reset", user, at: now, traits: { by: "operator" } });
  await mailAboutSecondFactor(db, { kind: "second-factor-removed", user, client: undefined, now });
  return true;
}
