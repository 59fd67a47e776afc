import type { ClientBase, Pool } from "pg";
import { hashOf } from "../tokens/secrets.ts";

type Database = Pick<Pool | ClientBase, "query">;

/** A token bucket: it allows `burst` requests at once, then one more every `secondsPerToken` seconds. */
export interface RateLimit {
  burst: number;
  secondsPerToken: number;
}

/**
 * Takes a token from the bucket `key` and returns 0. If the bucket is empty, returns the seconds until it has a token
 * again (`Retry-After`).
 *
 * The table stores for each bucket only the time at which it will be full again. Each taken token makes this time later
 * by `secondsPerToken`. The bucket is empty when this time is `burst` times `secondsPerToken` away. A single statement
 * does this while it locks the row, so the limit is exact for any number of servers. A statement that adds a row also
 * deletes up to two full buckets, so the table does not grow. It locks its own row before it deletes, and skips locked
 * rows, so there is no deadlock.
 */
export async function takeToken(
  db: Database,
  key: string,
  { burst, secondsPerToken }: RateLimit,
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ granted: boolean; retry_after: number }>(
    `with taken as (
       insert into auth.rate_limits as bucket (key_hash, full_at)
       values ($1, $2::timestamptz + make_interval(secs => $3::float))
       on conflict (key_hash) do update
         set full_at = greatest(bucket.full_at, $2) + make_interval(secs => $3)
         where greatest(bucket.full_at, $2) + make_interval(secs => $3) <= $2 + make_interval(secs => $3 * $4::float)
       returning bucket.xmax = 0 as is_new
     ),
     removed as (
       delete from auth.rate_limits where key_hash in (
         select key_hash from auth.rate_limits
         where full_at < $2 and (select is_new from taken) limit 2 for update skip locked)
     )
     select true as granted, 0 as retry_after from taken
     union all
     select false, extract(epoch from full_at - $2 - make_interval(secs => $3 * ($4 - 1)))::float from auth.rate_limits
     where key_hash = $1 and not exists (select from taken)`,
    [hashOf(key), now, secondsPerToken, burst],
  );
  // The decision to refuse is exact. The seconds are an estimate: they are read from a snapshot that does not see
  // concurrent updates.
  const { granted = false, retry_after = secondsPerToken } = rows[0] ?? {};
  return granted ? 0 : Math.max(1, Math.ceil(retry_after));
}

/** Puts back a token that was not used. */
export async function returnToken(db: Database, key: string, { secondsPerToken }: RateLimit) {
  await db.query("update auth.rate_limits set full_at = full_at - make_interval(secs => $2) where key_hash = $1", [
    hashOf(key),
    secondsPerToken,
  ]);
}

/** Makes the buckets of these keys full again by deleting their rows: a bucket without a row is full. */
export async function resetRateLimits(db: Database, keys: readonly string[]) {
  await db.query("delete from auth.rate_limits where key_hash = any ($1)", [keys.map(hashOf)]);
}
