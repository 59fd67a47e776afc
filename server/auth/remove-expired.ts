import { repeatable } from "#server/database/reconnect";
import { addSeconds } from "./add-seconds.ts";
import type { AuthContext } from "./auth-context.ts";
import { attackSeconds } from "./limits/password-attempts.ts";
import { challengeSeconds, unverifiedSeconds } from "./second-factor/factors.ts";
import { deviceRetentionSeconds } from "./sessions/known-devices.ts";
import { expiryOf } from "./sessions/sessions.ts";

type Context = Pick<AuthContext, "owner" | "auditDays" | "sessionIdleDays" | "sessionMaxDays">;

/**
 * Deletes rows of `table` whose `time`, which has an index, is before `before`: at most `rowsMax` in a second, which is
 * more than requests add. Fewer sessions, because a few thousand tokens may be deleted with each.
 */
interface Rule {
  table: string;
  key: string;
  time: string;
  before: Date;
  only?: string;
  rowsMax?: number;
}

function rules(context: Context, now: Date): Rule[] {
  const ago = (seconds: number) => addSeconds(now, -seconds);
  const knownDevice = { table: "known_devices", key: "user_id, kind, value_hash", time: "seen_at" };
  const factor = { table: "mfa_factors", key: "id", time: "created_at" };
  const session = { table: "sessions", key: "id", rowsMax: 50 };
  const { lastUsedBefore, createdBefore } = expiryOf(context, now);
  return [
    { ...session, time: "greatest(created_at, refreshed_at, used_at)", before: lastUsedBefore },
    { ...session, time: "created_at", before: createdBefore },
    { table: "one_time_tokens", key: "token_hash", time: "expires_at", before: now },
    { table: "mfa_challenges", key: "id", time: "created_at", before: ago(challengeSeconds) },
    { ...factor, only: "status = 'unverified'", before: ago(unverifiedSeconds) },
    { ...knownDevice, only: "kind = 'network'", before: ago(deviceRetentionSeconds.network) },
    { ...knownDevice, only: "kind = 'device'", before: ago(deviceRetentionSeconds.device) },
    { table: "audit_log_entries", key: "id", time: "created_at", before: ago(context.auditDays * 24 * 60 * 60) },
    { table: "rate_limits", key: "key_hash", time: "full_at", before: now },
    { table: "sign_in_failures", key: "account_hash", time: "newest_at", before: ago(attackSeconds) },
  ];
}

const pauseMilliseconds = 1000;

/**
 * Call the returned function at sign-ins and refreshes, which add the rows. It removes at most once a second: planning
 * the statement is a quarter of PostgreSQL's work for a sign-in.
 */
export function expiredRowsRemover(context: Context) {
  let removedAt = 0;
  return async (now: Date) => {
    // The clock may have been set back, which must not stop the removals.
    if (Math.abs(now.getTime() - removedAt) < pauseMilliseconds) return;
    removedAt = now.getTime();
    await removeExpired(context, now);
  };
}

/** One statement for all tables. It skips rows that another transaction has locked, so there is no deadlock. */
async function removeExpired(context: Context, now: Date) {
  const all = rules(context, now);
  const removals = all.map(
    ({ table, key, time, only = "true", rowsMax = 500 }, index) =>
      `removed_${index} as (delete from auth.${table} where (${key}) in (
         select ${key} from auth.${table} where ${time} < $${index + 1} and ${only}
         order by ${time} limit ${rowsMax} for update skip locked))`,
  );
  await repeatable(context.owner).query(
    `with ${removals.join(", ")} select`,
    all.map(({ before }) => before),
  );
}
