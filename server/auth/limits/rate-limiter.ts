import type { ClientBase, Pool } from "pg";
import { hashOf } from "../tokens/secrets.ts";

type Database = Pick<Pool | ClientBase, "query">;

/** A token bucket: so many at once, and then one more each so many seconds. */
export interface RateLimit {
  burst: number;
  secondsEach: number;
}

/**
 * Takes a token from the bucket that `key` names: 0, or the seconds until there is one. One statement, and exact for
 * any number of servers, as PostgreSQL locks the row: the moment at which the bucket is full moves on by one token,
 * unless that would be further away than an empty bucket needs. Each new row takes two spent ones with it, so that the
 * table does not grow; only after it has its own lock, and never waiting for another's, so that no two block each other.
 */
export async function takeToken(
  db: Database,
  key: string,
  { burst, secondsEach }: RateLimit,
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ granted: boolean; missing: number }>(
    `with taken as (
       insert into auth.rate_limits as bucket (key_hash, full_at) values ($1, $2::timestamptz + make_interval(secs => $3::float))
       on conflict (key_hash) do update
         set full_at = greatest(bucket.full_at, $2) + make_interval(secs => $3)
         where greatest(bucket.full_at, $2) + make_interval(secs => $3) <= $2 + make_interval(secs => $3 * $4::float)
       returning bucket.xmax = 0 as is_new
     ),
     forgotten as (
       delete from auth.rate_limits where key_hash in (
         select key_hash from auth.rate_limits
         where full_at < $2 and (select is_new from taken) limit 2 for update skip locked)
     )
     select true as granted, 0 as missing from taken
     union all
     select false, extract(epoch from full_at - $2 - make_interval(secs => $3 * ($4 - 1)))::float from auth.rate_limits
     where key_hash = $1 and not exists (select from taken)`,
    [hashOf(key), now, secondsEach, burst],
  );
  // The refusal is sure, its seconds are an estimate: they are read as of a moment earlier, when others had taken less.
  const { granted = false, missing = secondsEach } = rows[0] ?? {};
  return granted ? 0 : Math.max(1, Math.ceil(missing));
}

/** Puts one back that was taken for nothing. */
export async function returnToken(db: Database, key: string, { secondsEach }: RateLimit) {
  await db.query("update auth.rate_limits set full_at = full_at - make_interval(secs => $2) where key_hash = $1", [
    hashOf(key),
    secondsEach,
  ]);
}

/** Fills the buckets again. */
export async function resetRateLimits(db: Database, keys: readonly string[]) {
  await db.query("delete from auth.rate_limits where key_hash = any ($1)", [keys.map(hashOf)]);
}
