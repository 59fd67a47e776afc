import { createHash } from "node:crypto";
import type { Database } from "#backend/database/transaction";
import { bucketOf, type LimitName, limitOfSiteMails, limits, type Subject } from "./limits.ts";

/**
 * The limits of attempts at accounts and of mails: token buckets in PostgreSQL, so that several servers count together and
 * the restart of one forgets nothing. Those of requests are in `flood-limits.ts`, in memory.
 */
export interface LimiterContext {
  /** Off in tests that sign up a hundred people in a minute. What `holds` "always" stays on. */
  limitsAreOn: boolean;
  /** How many mails of sign-ups, and how many recovery mails, the whole site may send in an hour. */
  accountMailsPerHour: number;
}

/** An exceeded limit, and the seconds until it is not. */
export interface Excess<N extends LimitName> {
  name: N;
  seconds: number;
}

/**
 * Takes a token of each limit, or of none if one is exceeded, and returns that one. Name the limit of a network before
 * that of all networks: then the refused attempts of a network use up nothing of the others.
 */
export async function takeLimits<N extends LimitName>(
  { limitsAreOn, accountMailsPerHour }: LimiterContext,
  db: Database,
  names: readonly N[],
  subject: Subject<N>,
): Promise<Excess<N> | undefined> {
  const taken: { key: Buffer; seconds: number }[] = [];
  for (const name of names.filter((each) => limitsAreOn || limits[each].holds === "always")) {
    const { seconds, atOnce } = name === "mails of the site" ? limitOfSiteMails(accountMailsPerHour) : limits[name];
    const key = keyOf(name, subject);
    const statement = { name: "take a token", text: `select ${takeToken} as wait`, values: [key, seconds, atOnce] };
    const { rows } = await db.query<{ wait: number | null }>(statement);
    const wait = rows[0]?.wait ?? undefined;
    if (wait !== undefined) {
      for (const each of taken) await putBack(db, each.key, each.seconds);
      return { name, seconds: wait };
    }
    taken.push({ key, seconds });
  }
  return undefined;
}

/** In a statement that begins with the values of `tokenOf`: null, or the seconds until there is a token. */
export const takeToken = "auth.take_token($1, $2, $3, now())";

export function tokenOf<N extends LimitName>(name: N, subject: Subject<N>) {
  return [keyOf(name, subject), limits[name].seconds, limits[name].atOnce];
}

/** For an attempt that was not made, or that succeeded. */
export function returnToken<N extends LimitName>(db: Database, name: N, subject: Subject<N>) {
  return putBack(db, keyOf(name, subject), limits[name].seconds);
}

async function putBack(db: Database, key: Buffer, seconds: number) {
  const sql = "update auth.rate_limits set full_at = full_at - make_interval(secs => $2) where key_hash = $1";
  await db.query(sql, [key, seconds]);
}

/** Fills these buckets by deleting their rows: a bucket without a row is full. */
export async function fillBuckets<N extends LimitName>(db: Database, name: N, ...subjects: Subject<N>[]) {
  await db.query("delete from auth.rate_limits where key_hash = any ($1)", [subjects.map((each) => keyOf(name, each))]);
}

/** The key of a bucket, hashed: the table shows neither addresses nor codes. */
export function keyOf<N extends LimitName>(name: N, subject: Subject<N>): Buffer {
  return createHash("sha256").update(bucketOf(name, subject)).digest();
}
