import { limitSecondsMax } from "#backend/limits/limits";
import { unverifiedSeconds } from "./second-factor/factors.ts";
import { expiredSession, type SessionLimits } from "./sessions/session-store.ts";
import { spentTokenSeconds } from "./tokens/refresh-token-rotation.ts";
import { retiredKey } from "./tokens/signing-keys.ts";

type Limits = SessionLimits & { auditDays: number };

/**
 * The condition of the expired rows of each table of accounts, which the daily removal removes
 * (docs/operating.md#what-is-kept-how-long). What lives for a day at most also goes if its time is in the future: it was
 * stored while a clock was wrong.
 */
export function expiredRows(limits: Limits): Readonly<Record<string, string>> {
  return {
    "auth.sessions": expiredSession(limits),
    "auth.refresh_tokens": `revoked_at < ${ago(spentTokenSeconds)} and not exists (
      select from auth.refresh_tokens child where child.parent_id = refresh_tokens.id and child.revoked_at is null)`,
    "auth.one_time_tokens": `expires_at not between now() and ${ago(-25, "hours")}`,
    "auth.mfa_factors": `status = 'unverified' and created_at not between ${ago(unverifiedSeconds)} and ${ago(-60)}`,
    "auth.signing_keys": retiredKey,
    "auth.audit_log_entries": `created_at < ${ago(limits.auditDays, "days")}`,
    "auth.rate_limits": `full_at not between now() and ${ago(-limitSecondsMax)}`,
  };
}

function ago(amount: number, unit = "seconds"): string {
  return `now() - interval '${amount} ${unit}'`;
}
