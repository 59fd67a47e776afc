import type { ClientBase, Pool } from "pg";
import { keptSeconds as mailSeconds } from "./limits/mail-quota.ts";
import { attackSeconds } from "./limits/password-attempts.ts";
import { keptSeconds as placeSeconds } from "./sessions/known-devices.ts";
import { expiryOf, type SessionLimits } from "./sessions/sessions.ts";

export interface RetentionOptions extends SessionLimits {
  auditDays: number;
}

/**
 * Removes rows of `table` whose `time`, which has an index, lies before the given moment. At each call a few, yet more
 * than its request can have added, so that the backlog shrinks. A session takes its tokens with it, up to a few thousand
 * of them, so fewer sessions go at once.
 */
interface Rule {
  table: string;
  key: string;
  time: string;
  before: Date;
  only?: string;
  rowsMax?: number;
}

function rules(options: RetentionOptions, now: Date): Rule[] {
  const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const place = { table: "known_devices", key: "user_id, kind, value_hash", time: "seen_at" };
  const session = { table: "sessions", key: "id", rowsMax: 5 };
  const { lastUsedBefore, createdBefore } = expiryOf(options, now);
  return [
    { ...session, time: "greatest(created_at, refreshed_at, used_at)", before: lastUsedBefore },
    { ...session, time: "created_at", before: createdBefore },
    { table: "one_time_tokens", key: "user_id, purpose", time: "expires_at", before: now },
    { ...place, only: "kind = 'network'", before: secondsAgo(placeSeconds.network) },
    { ...place, only: "kind = 'device'", before: secondsAgo(placeSeconds.device) },
    { table: "audit_log_entries", key: "id", time: "created_at", before: secondsAgo(options.auditDays * 24 * 60 * 60) },
    { table: "rate_limits", key: "key_hash", time: "full_at", before: now },
    { table: "sign_in_failures", key: "account_hash", time: "newest_at", before: secondsAgo(attackSeconds) },
    { table: "mail_cooldowns", key: "address_hash", time: "asked_at", before: secondsAgo(mailSeconds) },
    { table: "mail_requests", key: "ctid", time: "asked_at", before: secondsAgo(mailSeconds) },
  ];
}

/**
 * Removes some expired rows of every table about accounts, in one statement. Called at sign-ins and refreshes, which are
 * what these tables grow by. It skips rows that another transaction has locked, and comes last in a transaction, so that
 * no two wait for each other.
 */
export async function removeExpired(db: Pick<Pool | ClientBase, "query">, options: RetentionOptions, now: Date) {
  const all = rules(options, now);
  const removals = all.map(
    ({ table, key, time, only = "true", rowsMax = 20 }, index) =>
      `removed_${index} as (delete from auth.${table} where (${key}) in (
         select ${key} from auth.${table} where ${time} < $${index + 1} and ${only}
         order by ${time} limit ${rowsMax} for update skip locked))`,
  );
  await db.query(
    `with ${removals.join(", ")} select`,
    all.map(({ before }) => before),
  );
}
