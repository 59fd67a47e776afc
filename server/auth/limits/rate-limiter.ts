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
 * Takes a token from each bucket, in this order, until one is empty. Where a later one is known to be empty, none is taken:
 * otherwise an attacker with many networks would add a row for each, although the wide network is refused.
 *
 * The table stores for each bucket only the time at which it will be full again. Each taken token makes this time later
 * by `secondsPerToken`. The bucket is empty when this time is `burst` times `secondsPerToken` away. A single statement
 * does this while it locks the row, so the limit is exact for any number of servers.
 */
export async function takeTokens(db: Database, buckets: readonly Bucket[], now: Date): Promise<number> {
  const parameters = (index: number) => [2, 3, 4].map((first) => `$${first + 3 * index}`);
  const hasToken = (index: number) => {
    const [, seconds, burst] = parameters(index);
    return `greatest(bucket.full_at, $1) + make_interval(secs => ${seconds})
      <= $1 + make_interval(secs => ${seconds} * ${burst}::float)`;
  };
  const isEmpty = (index: number) =>
    `exists (select from auth.rate_limits bucket where key_hash = ${parameters(index)[0]} and not ${hasToken(index)})`;
  const statements = buckets.map((_, index) => {
    const [key, seconds] = parameters(index);
    const before = index > 0 ? [`exists (select from taken_${index - 1})`] : [];
    const after = buckets.slice(index + 1).map((_, later) => `not ${isEmpty(index + 1 + later)}`);
    return `taken_${index} as (
      insert into auth.rate_limits as bucket (key_hash, full_at)
      select ${key}::bytea, $1::timestamptz + make_interval(secs => ${seconds}::float)
      where ${[...before, ...after, "true"].join(" and ")}
      on conflict (key_hash) do update
        set full_at = greatest(bucket.full_at, $1) + make_interval(secs => ${seconds})
        where ${hasToken(index)}
      returning bucket.xmax = 0 as is_new)`;
  });
  const { rows } = await db.query<{ is_new: boolean }>(
    `with ${statements.join(", ")} ${buckets.map((_, index) => `select is_new from taken_${index}`).join(" union all ")}`,
    [now, ...buckets.flatMap(({ key, limit }) => [hashOf(key), limit.secondsPerToken, limit.burst])],
  );
  await removeFullBuckets(db, rows.filter(({ is_new }) => is_new).length, now);
  return rows.length === buckets.length ? 0 : secondsUntilTokens(db, buckets, now);
}

/** An estimate: other requests may take or return a token meanwhile. */
async function secondsUntilTokens(db: Database, buckets: readonly Bucket[], now: Date): Promise<number> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select max(extract(epoch from full_at - $1 - make_interval(secs => allowed)))::float as seconds
     from unnest($2::bytea[], $3::float[]) as asked (key, allowed) join auth.rate_limits on key_hash = key`,
    [now, buckets.map(({ key }) => hashOf(key)), buckets.map(({ limit }) => limit.secondsPerToken * (limit.burst - 1))],
  );
  return Math.max(1, Math.ceil(rows[0]?.seconds ?? 0));
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
