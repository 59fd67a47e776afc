import type { ClientBase, Pool } from "pg";
import { hashOf } from "../tokens/secrets.ts";

export type Database = Pick<Pool | ClientBase, "query">;

/** A token bucket: it allows `burst` requests at once, then one more every `secondsPerToken` seconds. */
export interface RateLimit {
  burst: number;
  secondsPerToken: number;
}

/** A bucket of the table, by its key, and its limit. */
export interface Bucket {
  key: string;
  limit: RateLimit;
}

/**
 * Takes a token from the bucket `key` and returns 0. If the bucket is empty, returns the seconds until it has a token
 * again (`Retry-After`).
 */
export function takeToken(db: Database, key: string, limit: RateLimit, now: Date): Promise<number> {
  return takeTokens(db, [{ key, limit }], now);
}

/**
 * Takes a token from each bucket, in this order, until one is empty.
 *
 * The table stores for each bucket only the time at which it will be full again. Each taken token makes this time later
 * by `secondsPerToken`. The bucket is empty when this time is `burst` times `secondsPerToken` away. A single statement
 * does this while it locks the row, so the limit is exact for any number of servers.
 */
export async function takeTokens(db: Database, buckets: readonly Bucket[], now: Date): Promise<number> {
  const statements = buckets.map((_, index) => {
    const [key, seconds, burst] = [2, 3, 4].map((first) => `$${first + 3 * index}`);
    return `taken_${index} as (
      insert into auth.rate_limits as bucket (key_hash, full_at)
      select ${key}::bytea, $1::timestamptz + make_interval(secs => ${seconds}::float)
      ${index > 0 ? `where exists (select from taken_${index - 1})` : ""}
      on conflict (key_hash) do update
        set full_at = greatest(bucket.full_at, $1) + make_interval(secs => ${seconds})
        where greatest(bucket.full_at, $1) + make_interval(secs => ${seconds})
              <= $1 + make_interval(secs => ${seconds} * ${burst}::float)
      returning bucket.xmax = 0 as is_new)`;
  });
  const { rows } = await db.query<{ is_new: boolean }>(
    `with ${statements.join(", ")} ${buckets.map((_, index) => `select is_new from taken_${index}`).join(" union all ")}`,
    [now, ...buckets.flatMap(({ key, limit }) => [hashOf(key), limit.secondsPerToken, limit.burst])],
  );
  await removeFullBuckets(db, rows.filter(({ is_new }) => is_new).length, now);
  // The first bucket without a row is the empty one.
  const empty = buckets[rows.length];
  return empty ? secondsUntilToken(db, empty, now) : 0;
}

/** An estimate: other requests may take or return a token meanwhile. */
async function secondsUntilToken(db: Database, { key, limit }: Bucket, now: Date): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    "select extract(epoch from full_at - $2 - make_interval(secs => $3))::float as seconds from auth.rate_limits where key_hash = $1",
    [hashOf(key), now, limit.secondsPerToken * (limit.burst - 1)],
  );
  return Math.max(1, Math.ceil(rows[0]?.seconds ?? limit.secondsPerToken));
}

let newBuckets = 0;

/**
 * Deletes twenty full buckets after each ten new ones, so that the table does not grow. It skips rows that another
 * transaction has locked, so there is no deadlock.
 */
async function removeFullBuckets(db: Database, added: number, now: Date) {
  newBuckets += added;
  if (newBuckets < 10) return;
  newBuckets = 0;
  await db.query(
    `delete from auth.rate_limits where key_hash in (
       select key_hash from auth.rate_limits where full_at < $1 limit 20 for update skip locked)`,
    [now],
  );
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
