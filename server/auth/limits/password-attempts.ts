import type { ClientBase, Pool } from "pg";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";
import { networkOf } from "#server/http/client-network";
import { refusals } from "../refusals.ts";
import { isKnown } from "../sessions/known-devices.ts";
import { hashOf } from "../tokens/secrets.ts";
import { resetRateLimits, returnToken, takeToken } from "./rate-limiter.ts";

/**
 * Guessing against one account is hopeless, and nobody can lock its owner out. Every network has a few tries of its
 * own, so a stranger spends only theirs. Many networks together are an attack: then those where the owner never signed
 * in have two tries each and hardly any more, but two that count, for the owner may be on a new network; and those where
 * the owner did sign in notice nothing. Addresses without an account are counted alike: a limit must not tell either.
 */
const normalLimit = { burst: 10, secondsEach: 20 };
const underAttackLimit = { burst: 2, secondsEach: 10 * 60 };

/** So many failures from unfamiliar networks within so long, and one more, are an attack. */
const attackFailures = 20;
export const attackSeconds = 60 * 60;

/** A try that was granted. It counts as failed until it is called good, so that tries at once cannot outrun the count. */
export interface PasswordAttempt {
  account: string;
  /** Where the tries of this network are counted while all is quiet, and while the account is attacked. */
  buckets: { usual: string; wary: string };
  taken: "usual" | "wary";
  at: Date;
}

interface Candidate {
  /** What was typed, as accounts keep it; it need not have one. */
  address: string;
  userId: string | undefined;
  ip: string;
}

/** Takes a try before the password is looked at; throws 429, at next to no cost, when there is none. */
export async function takePasswordAttempt(owner: Pool, candidate: Candidate, now: Date): Promise<PasswordAttempt> {
  const { address, userId, ip } = candidate;
  const buckets = {
    usual: `password of ${address} from ${networkOf(ip)}`,
    // Whoever attacks over IPv6 is given 2^16 networks with the asking, so that a /64 each would be no limit.
    wary: `password of ${address}, attacked, from ${networkOf(ip, 48)}`,
  };
  return inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1, hashtext($2))", [advisoryLocks.passwordAttempts, address]);
    const familiar = await isKnown(db, userId, "network", networkOf(ip), now);
    const taken = !familiar && (await isAttacked(db, address, now)) ? "wary" : "usual";

    const missingSeconds = await takeToken(db, buckets[taken], taken === "wary" ? underAttackLimit : normalLimit, now);
    if (missingSeconds > 0) throw refusals.rateLimited(missingSeconds);
    if (!familiar) await countFailure(db, address, now);
    return { account: address, buckets, taken, at: now };
  });
}

/** The password was right: this network begins anew, and its try was no failure. */
export async function recordSuccess(db: ClientBase, { account, buckets, at }: PasswordAttempt) {
  await resetRateLimits(db, [buckets.usual, buckets.wary]);
  await uncountFailure(db, account, at);
}

/** Nobody looked at the password, because the server had too much to do. */
export async function returnPasswordAttempt(owner: Pool, { account, buckets, taken, at }: PasswordAttempt) {
  await returnToken(owner, buckets[taken], taken === "wary" ? underAttackLimit : normalLimit);
  await uncountFailure(owner, account, at);
}

async function isAttacked(db: ClientBase, account: string, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ attacked: boolean }>(
    "select failed_at[$2] > $3 as attacked from auth.sign_in_failures where account_hash = $1",
    [hashOf(account), attackFailures + 1, before(now, attackSeconds)],
  );
  return rows[0]?.attacked ?? false;
}

/** Two rows that no longer matter go with each new one, as in `takeToken`. */
async function countFailure(db: ClientBase, account: string, now: Date) {
  await db.query(
    `with counted as (
       insert into auth.sign_in_failures as failures (account_hash, failed_at, newest_at) values ($1, array[$2::timestamptz], $2)
       on conflict (account_hash) do update
         set failed_at = (array_prepend($2, failures.failed_at))[:$3], newest_at = $2
       returning failures.xmax = 0 as is_new
     )
     delete from auth.sign_in_failures where account_hash in (
       select account_hash from auth.sign_in_failures
       where newest_at < $4 and (select is_new from counted) limit 2 for update skip locked)`,
    [hashOf(account), now, attackFailures + 1, before(now, attackSeconds)],
  );
}

async function uncountFailure(db: Pick<Pool | ClientBase, "query">, account: string, at: Date) {
  await db.query(
    "update auth.sign_in_failures set failed_at = array_remove(failed_at, $2) where account_hash = $1 and $2 = any (failed_at)",
    [hashOf(account), at],
  );
}

function before(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
