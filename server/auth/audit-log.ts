import type { Database } from "#server/database/transaction";

/** The log type of each action. Most actions are upstream's (docs/protocol.md#audit-list). */
const logTypes = {
  user_confirmation_requested: "user",
  user_repeated_signup: "user",
  user_recovery_requested: "user",
  user_updated_password: "user",
  user_modified: "user",
  user_invited: "team",
  user_deleted: "team",
  signing_key_rotated: "team",
  user_signedup: "team",
  login: "account",
  login_failed: "account",
  logout: "account",
  verification_attempted: "account",
  factor_in_progress: "factor",
  challenge_created: "factor",
  factor_verified: "factor",
  factor_unenrolled: "factor",
  second_factor_reset: "factor",
  recovery_codes_generated: "factor",
  recovery_code_used: "factor",
  token_revoked: "token",
} as const;

interface Event {
  action: keyof typeof logTypes;
  /** Undefined for an address without an account, which is not logged: it may be a password in the wrong field. */
  user: { id: string; email: string } | undefined;
  traits?: Record<string, unknown>;
}

interface Entry extends Event {
  at: Date;
  /** Upstream leaves it out of most entries, but operators need it to investigate an incident. */
  ip?: string;
}

const noUser = { id: "00000000-0000-0000-0000-000000000000", email: "" };

export async function writeAuditLog(db: Database, { at, ip, ...event }: Entry) {
  const sql = "insert into auth.audit_log_entries (payload, created_at, ip_address) values ($1, $2, $3)";
  await db.query(sql, [auditPayload(event), at, ip ?? ""]);
}

export function auditPayload({ action, user = noUser, traits }: Event): string {
  return JSON.stringify({
    actor_id: user.id,
    actor_username: user.email,
    actor_via_sso: false,
    action,
    log_type: logTypes[action],
    traits,
  });
}
