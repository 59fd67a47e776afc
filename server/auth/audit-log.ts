import type { ClientBase, Pool } from "pg";

type Database = Pick<Pool | ClientBase, "query">;

/** The kinds of upstream (protocol section 3), and one of ours: upstream keeps no record of failed sign-ins. */
const logTypes = {
  user_confirmation_requested: "user",
  user_repeated_signup: "user",
  user_recovery_requested: "user",
  user_updated_password: "user",
  user_modified: "user",
  user_invited: "team",
  user_signedup: "team",
  login: "account",
  login_failed: "account",
  logout: "account",
  verification_attempted: "account",
  token_refreshed: "token",
  token_revoked: "token",
} as const;

/** All but the daily round of tokens, which is most of the log. As in the index that makes it quick to read. */
export const auditFilter = "not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null)";

interface Entry {
  action: keyof typeof logTypes;
  /** Nobody, if the address has no account. What was typed is not kept: it may be a password in the wrong field. */
  user: { id: string; email: string } | undefined;
  at: Date;
  traits?: Record<string, unknown>;
  /** Where it was done from; upstream leaves this out of most entries, and an incident is hard to read without. */
  ip?: string;
}

const noUser = { id: "00000000-0000-0000-0000-000000000000", email: "" };

/** Writes one line of the log that an operator reads after an incident. */
export async function writeAuditLog(db: Database, { action, user = noUser, at, traits, ip }: Entry) {
  const payload = {
    actor_id: user.id,
    actor_username: user.email,
    actor_via_sso: false,
    action,
    log_type: logTypes[action],
    traits,
  };
  await db.query("insert into auth.audit_log_entries (payload, created_at, ip_address) values ($1, $2, $3)", [
    JSON.stringify(payload),
    at,
    ip ?? "",
  ]);
}
