import type { ClientBase, Pool } from "pg";
import { advisoryLocks } from "#server/database/advisory-locks";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { networkOf } from "#server/http/ip-address";
import { refusals } from "../refusals.ts";
import { isKnownNetwork } from "../sessions/known-devices.ts";
import { hashOf } from "../tokens/secrets.ts";
import { type RateLimit, resetRateLimits, returnToken, takeToken } from "./rate-limiter.ts";

/**
 * Limits password guessing, per account and network (docs/protocol.md#password-attempts). An attacker uses up only the
 * attempts of the attacker's own network and cannot lock the owner out. A network is known if the owner has recently
 * signed in from it. Too many failures from unknown networks count as an attack: then unknown networks get the stricter
 * limit, and known networks keep the normal one. The stricter limit still allows two attempts, because the owner may be
 * on a new network. The same limits hold for addresses without an account, so that a limit does not reveal accounts.
 */
const limits = {
  normal: { burst: 10, secondsPerToken: 20 },
  underAttack: { burst: 2, secondsPerToken: 10 * 60 },
} as const satisfies Record<string, RateLimit>;

type LimitName = keyof typeof limits;

/** An account is under attack if it has more failures than this from unknown networks within `attackSeconds`. */
const attackFailures = 20;
export const attackSeconds = 60 * 60;

/**
 * An attempt that the limit allowed. It counts as a failure until `recordSuccess` is called, so that many guesses at
 * the same time cannot exceed the limit.
 */
export interface PasswordAttempt {
  address: string;
  /** The key of this network's token bucket for each limit, see `takeToken`. */
  buckets: Readonly<Record<LimitName, string>>;
  limit: LimitName;
  /** Whether the owner has recently signed in from this network. */
  isKnown: boolean;
  at: Date;
}

interface Candidate {
  /** The email address, trimmed and lower-cased. It need not have an account. */
  address: string;
  userId: string | undefined;
  ip: string;
}

/**
 * Call this function before the password is compared. It throws 429 if no attempt is left, so no hash is computed then.
 */
export async function takePasswordAttempt(
  owner: Pool,
  { address, userId, ip }: Candidate,
  now: Date,
): Promise<PasswordAttempt> {
  const buckets = bucketsOf(address, ip);
  const isKnown = await isKnownNetwork(repeatable(owner), userId, ip, now);
  const take = async (db: Pick<Pool, "query">, limit: LimitName) => {
    const retryAfterSeconds = await takeToken(db, buckets[limit], limits[limit], now);
    if (retryAfterSeconds > 0) throw refusals.rateLimited(retryAfterSeconds);
    return { address, buckets, limit, isKnown, at: now };
  };
  if (isKnown) return take(repeatable(owner), "normal");
  return inTransaction(owner, async (db) => {
    await lockAddress(db, address);
    const attempt = await take(db, (await isAttacked(db, address, now)) ? "underAttack" : "normal");
    await countFailure(db, address, now);
    return attempt;
  });
}

/**
 * Call after the password matched. This network gets all its attempts back, and the attempt no longer counts as a
 * failure.
 */
export async function recordSuccess(db: ClientBase, { address, buckets, isKnown, at }: PasswordAttempt) {
  await resetRateLimits(db, Object.values(buckets));
  if (!isKnown) await uncountFailure(db, address, at);
}

/** Gives an attempt back. Call it if the password could not be compared, for example because the server is too busy. */
export async function returnPasswordAttempt(owner: Pool, { address, buckets, limit, isKnown, at }: PasswordAttempt) {
  await returnToken(owner, buckets[limit], limits[limit]);
  if (!isKnown) await uncountFailure(owner, address, at);
}

/**
 * Call after a wrong password. Until here an attempt from a known network ran fewer statements than others, so that the
 * time would reveal the account to everyone else in the owner's network. It now runs them with another key.
 */
export async function equalizeFailure(owner: Pool, { address, isKnown, at }: PasswordAttempt) {
  if (!isKnown) return;
  const decoy = decoyOf(address);
  await inTransaction(owner, async (db) => {
    await lockAddress(db, decoy);
    await isAttacked(db, decoy, at);
    await countFailure(db, decoy, at);
  });
}

/** The keys of the limits that count attempts at the password of this address, as made from these networks. */
export function passwordLimitKeys(address: string, ips: readonly string[]): string[] {
  return ips.flatMap((ip) => Object.values(bucketsOf(address, ip)));
}

/** The keys of the rows of `auth.sign_in_failures` about this address. */
export function failureKeys(address: string): string[] {
  return [address, decoyOf(address)];
}

function bucketsOf(address: string, ip: string): Record<LimitName, string> {
  return {
    normal: `password of ${address} from ${networkOf(ip)}`,
    // A provider gives one IPv6 customer up to a /48, which has 2^16 networks of size /64: a limit per /64 would stop
    // no attack.
    underAttack: `password of ${address}, attacked, from ${networkOf(ip, 48)}`,
  };
}

function decoyOf(address: string): string {
  return `decoy of ${address}`;
}

async function lockAddress(db: ClientBase, address: string) {
  await db.query("select pg_advisory_xact_lock($1, hashtext($2))", [advisoryLocks.passwordAttempts, address]);
}

async function isAttacked(db: ClientBase, address: string, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ attacked: boolean }>(
    "select failed_at[$2] > $3 as attacked from auth.sign_in_failures where account_hash = $1",
    [hashOf(address), attackFailures + 1, secondsBefore(now, attackSeconds)],
  );
  return rows[0]?.attacked ?? false;
}

/**
 * Counts a failure of the account. A statement that adds a row also deletes up to two expired rows, so the table does
 * not grow.
 */
async function countFailure(db: ClientBase, address: string, now: Date) {
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
    [hashOf(address), now, attackFailures + 1, secondsBefore(now, attackSeconds)],
  );
}

async function uncountFailure(db: Pick<Pool | ClientBase, "query">, address: string, at: Date) {
  await db.query(
    "update auth.sign_in_failures set failed_at = array_remove(failed_at, $2) where account_hash = $1 and $2 = any (failed_at)",
    [hashOf(address), at],
  );
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
