import { limitSecondsMax } from "#server/http/limits";
import type { Removal } from "#server/jobs/daily-removal";
import type { AuthContext } from "./auth-context.ts";
import { attackSeconds } from "./limits/password-attempts.ts";
import { challengeSeconds, unverifiedSeconds } from "./second-factor/factors.ts";
import { deviceRetentionSeconds } from "./sessions/known-devices.ts";

/**
 * What the daily removal removes of accounts (docs/operating.md#what-is-kept-how-long). A row that lives for a day at most
 * also goes if its time is in the future: it was written while a clock was wrong. Few sessions at once, because a few
 * thousand tokens may be deleted with each.
 */
export function expiredRows({
  auditDays,
  sessionIdleDays,
  sessionMaxDays,
}: Pick<AuthContext, "auditDays" | "sessionIdleDays" | "sessionMaxDays">): Removal[] {
  const ago = (amount: number, unit: "seconds" | "days" = "seconds") => `now() - interval '${amount} ${unit}'`;
  const soon = "now() + interval '1 minute'";
  const { network, device } = deviceRetentionSeconds;
  return [
    {
      what: "sessions that had ended",
      table: "auth.sessions",
      where: `greatest(created_at, refreshed_at, used_at) < ${ago(sessionIdleDays, "days")} or created_at < ${ago(sessionMaxDays, "days")}`,
      rowsMax: 50,
    },
    {
      what: "links and codes that had expired",
      table: "auth.one_time_tokens",
      where: "expires_at not between now() and now() + interval '1 day 1 minute'",
    },
    {
      what: "challenges of second factors",
      table: "auth.mfa_challenges",
      where: `created_at not between ${ago(challengeSeconds)} and ${soon}`,
    },
    {
      what: "second factors without a first code",
      table: "auth.mfa_factors",
      where: `status = 'unverified' and created_at not between ${ago(unverifiedSeconds)} and ${soon}`,
    },
    {
      what: "networks and devices of earlier logins",
      table: "auth.known_devices",
      where: `seen_at < ${ago(network)} and kind = 'network' or seen_at < ${ago(device)} and kind = 'device'`,
    },
    {
      what: "events that were older than AUDIT_DAYS",
      table: "auth.audit_log_entries",
      where: `created_at < ${ago(auditDays, "days")}`,
    },
    {
      what: "counters of limits",
      table: "auth.rate_limits",
      where: `full_at not between now() and now() + interval '${limitSecondsMax} seconds'`,
    },
    {
      what: "counters of failed logins",
      table: "auth.sign_in_failures",
      where: `newest_at not between ${ago(attackSeconds)} and ${soon}`,
    },
  ];
}
