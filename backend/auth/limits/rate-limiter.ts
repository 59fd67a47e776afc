import type { Database } from "#backend/database/transaction";
import { bucketOf, type LimitName, limitOfSiteMails, limits, type Subject } from "#backend/http/limits";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { hashOf } from "../tokens/random-tokens.ts";

export type LimiterContext = Pick<AuthContext, "limitsAreOn" | "accountMailsPerHour" | "now">;

/** An exceeded limit, and the seconds until it is not. */
interface Excess<N extends LimitName> {
  name: N;
  seconds: number;
}

/** Takes a token of each limit, or throws the refusal of the first one that is exceeded. */
export async function requireLimits<N extends LimitName>(
  context: LimiterContext,
  db: Database,
  names: readonly N[],
  subject: Subject<N>,
) {
  const excess = await takeLimits(context, db, names, subject);
  if (excess) throw refusalOf(excess);
}

export function refusalOf({ name, seconds }: Excess<LimitName>): Error {
  return refusals[limits[name].beyond as "rateLimited"](seconds);
}

/**
 * Takes a token from each bucket. If one is empty, takes none and returns its limit: an attacker with many networks
 * would otherwise add a row for each, although the wide network is refused.
 */
export async function takeLimits<N extends LimitName>(
  { limitsAreOn, accountMailsPerHour, now }: LimiterContext,
  db: Database,
  names: readonly N[],
  subject: Subject<N>,
): Promise<Excess<N> | undefined> {
  const asked = names
    .filter((name) => limitsAreOn || limits[name].holds === "always")
    .map((name) => {
      const { atOnce, seconds } = name === "mails of the site" ? limitOfSiteMails(accountMailsPerHour) : limits[name];
      return { name, hash: hashOf(bucketOf(name, subject)), atOnce, seconds };
    });
  if (asked.length === 0) return undefined;

  const at = now();
  const { rows } = await db.query<{ is_taken: boolean; is_new: boolean; seconds: number | null }>(takeStatement, [
    at,
    asked.map(({ hash }) => hash),
    asked.map(({ seconds }) => seconds),
    asked.map(({ atOnce }) => atOnce),
  ]);
  // About every tenth new bucket (chosen by its hash) removes twenty full ones: with each request, planning the removal would add a quarter to its cost.
  if (asked.some(({ hash }, index) => rows[index]?.is_new && hash.readUInt8() < 256 / 10)) await removeOld(db, at);
  const exceeded = asked.find((_, index) => rows[index]?.seconds);
  if (!exceeded) return undefined;
  // The wait is a pause at most. A longer one means that the clock ran ahead when the bucket was written: it is empty.
  const empty = "update auth.rate_limits set full_at = $2::timestamptz + make_interval(secs => $3) where key_hash = $1";
  for (const [index, { hash, seconds, atOnce }] of asked.entries())
    if ((rows[index]?.seconds ?? 0) > seconds + 60) await db.query(empty, [hash, at, seconds * atOnce]);
  // Another request may have just taken the last token of one bucket.
  const taken = asked.filter((_, index) => rows[index]?.is_taken);
  for (const { hash, seconds } of taken) await putBack(db, hash, seconds);
  const waits = asked.map(({ seconds }, index) => Math.min(rows[index]?.seconds ?? 0, seconds));
  return { name: exceeded.name, seconds: Math.ceil(Math.max(...waits)) };
}

/**
 * A row stores only when its bucket will be full again; each token makes this later by the pause between two. The
 * statement decides while it locks the rows, so a limit is exact for any number of servers.
 */
const takeStatement = `
  with asked as (
    select key, n, make_interval(secs => seconds) as pause, make_interval(secs => seconds * at_once) as whole
    from unnest($2::bytea[], $3::float[], $4::float[]) with ordinality as asked (key, seconds, at_once, n)
  ), empty as (
    select key, full_at + pause - whole - $1 as wait
    from asked join auth.rate_limits on key_hash = key where full_at + pause > $1 + whole
  ), taken as (
    insert into auth.rate_limits as bucket (key_hash, full_at)
    select key, $1::timestamptz + pause from asked where not exists (select from empty) order by n
    on conflict (key_hash) do update set full_at = greatest(bucket.full_at, $1) + (excluded.full_at - $1)
      where greatest(bucket.full_at, $1) + (excluded.full_at - $1)
        <= $1 + (select whole from asked where key = excluded.key_hash)
    returning key_hash, bucket.xmax = 0 as is_new
  )
  select taken.key_hash is not null as is_taken, is_new, extract(epoch from case
    when exists (select from empty) then wait when taken.key_hash is null then pause end)::float as seconds
  from asked left join empty using (key) left join taken on taken.key_hash = key order by n`;

/** Keeps a table that strangers fill from growing. Skips rows that another transaction has locked, so there is no deadlock. */
async function removeOld(db: Database, now: Date) {
  await db.query(
    `delete from auth.rate_limits where ctid = any (array(
       select ctid from auth.rate_limits where full_at < $1 limit 20 for update skip locked))`,
    [now],
  );
}

export function returnToken<N extends LimitName>(db: Database, name: N, subject: Subject<N>) {
  return putBack(db, hashOf(bucketOf(name, subject)), limits[name].seconds);
}

async function putBack(db: Database, hash: Buffer, seconds: number) {
  const sql = "update auth.rate_limits set full_at = full_at - make_interval(secs => $2) where key_hash = $1";
  await db.query(sql, [hash, seconds]);
}

/** Fills these buckets by deleting their rows: a bucket without a row is full. */
export async function fillBuckets<N extends LimitName>(db: Database, names: readonly N[], ...subjects: Subject<N>[]) {
  const buckets = names.flatMap((name) => subjects.map((subject) => hashOf(bucketOf(name, subject))));
  await db.query("delete from auth.rate_limits where key_hash = any ($1)", [buckets]);
}
