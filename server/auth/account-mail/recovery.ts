import type { ClientBase } from "pg";
import { writeAuditLog } from "../audit-log.ts";
import { issueToken } from "../tokens/one-time-tokens.ts";
import { lockUserByEmail, type User } from "../users.ts";
import { mailedLink } from "./mailed-link.ts";
import type { TokenMailTemplate } from "./queued-mails.ts";

/** A link and a code that sign in without the password; earlier ones stop working. */
export const recoveryMail: TokenMailTemplate = async (db, { siteUrl, now }, { email, redirectTo, askedAt }, made) => {
  const user = await lockUserByEmail(db, email);
  if (!user) return undefined;

  // As with a confirmation: the mail of an earlier request, late as it is, would end the link of a later one.
  const lastAsked = user.recovery_sent_at ?? new Date(0);
  if (lastAsked > askedAt) return undefined;
  if (lastAsked < askedAt) await noteRecovery(db, user, askedAt);

  await issueToken(db, { userId: user.id, purpose: "recovery" }, made, now());
  const link = mailedLink({ siteUrl, token: made.token, type: "recovery", redirectTo });
  return { kind: "recover", to: user.email, link, code: made.code };
};

/** At the first attempt to send the mail only. */
async function noteRecovery(db: ClientBase, user: User, askedAt: Date) {
  await db.query("update auth.users set recovery_sent_at = $2, updated_at = $2 where id = $1", [user.id, askedAt]);
  await writeAuditLog(db, { action: "user_recovery_requested", user, at: askedAt });
}
