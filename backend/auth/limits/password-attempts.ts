import type { ClientBase } from "pg";
import { repeatable } from "#backend/database/reconnect";
import type { Database } from "#backend/database/transaction";
import { addSeconds } from "../add-seconds.ts";
import type { AuthContext } from "../auth-context.ts";
import { isKnownNetwork } from "../sessions/known-devices.ts";
import { hashOf } from "../tokens/random-tokens.ts";
import type { User } from "../users.ts";
import { fillBuckets, refusalOf, returnToken, takeLimits } from "./rate-limiter.ts";

/** An account is under attack if it has more failures than this from unknown networks within `attackSeconds`. */
const attackFailures = 20;
export const attackSeconds = 60 * 60;

interface Guess {
  /** The email address, trimmed and lower-cased. It need not have an account. */
  email: string;
  user: User | undefined;
  password: string;
  ip: string;
  isSignedIn?: boolean;
}

const always = ["passwords"] as const;
const duringAttack = ["passwords during an attack", "passwords"] as const;

/**
 * Compares a password, or throws 429 before any hash is computed if no attempt is left
 * (docs/protocol.md#password-attempts). An attacker uses up only the attempts of the attacker's own network and cannot
 * lock the owner out. After too many failures from networks where the owner has not signed in lately, these have the
 * stricter limit as well; it still allows two attempts, because the owner may be on a new network. Addresses without an
 * account have the same limits. The attempt counts as a failure until `recordSuccess` is called, so many guesses at
 * once cannot exceed the limit.
 */
export async function tryPassword(context: AuthContext, { email, user, password, ip, isSignedIn = false }: Guess) {
  const { owner, hasher } = context;
  const stored = user?.encrypted_password;
  if (!context.limitsAreOn) return { matches: await hasher.matches(stored, password), recordSuccess: async () => {} };

  const at = context.now();
  const isKnown = await isKnownNetwork(repeatable(owner), user?.id, ip, "password or mail", at);
  const isAttacked = !isKnown && (await countFailure(repeatable(owner), email, at));
  const uncount = async (db: Database) => {
    if (!isKnown) await uncountFailure(db, email, at);
  };
  // Not during an attack: the row keeps only the newest times. Simultaneous attempts push out those that show the
  // attack, so they must not be taken back.
  const uncountRefused = async () => {
    if (!isAttacked) await uncount(owner);
  };
  const limits = isAttacked ? duringAttack : always;
  const excess = await takeLimits(context, repeatable(owner), limits, { email, ip });
  if (excess) {
    await uncountRefused();
    throw refusalOf(excess);
  }

  const caller = { ip, isKnown: isKnown || isSignedIn };
  const matches = await hasher.matches(stored, password, caller).catch(async (error: unknown) => {
    // The password was not compared, for example because the server is too busy.
    for (const limit of limits) await returnToken(owner, limit, { email, ip });
    await uncountRefused();
    throw error;
  });
  // A known network has run one statement less so far, and the time would reveal the account to others in that network.
  if (isKnown && !matches) await countFailure(owner, decoyOf(email), at);
  const recordSuccess = async (db: ClientBase) => {
    await fillBuckets(db, duringAttack, { email, ip });
    await uncount(db);
  };
  return { matches, recordSuccess };
}

/**
 * Returns whether the account is under attack. A row per address holds the times of the newest failures: a token bucket
 * that allows twenty at once would allow more within an hour.
 */
async function countFailure(db: Database, email: string, at: Date): Promise<boolean> {
  const { rows } = await db.query<{ attacked: boolean | null }>(
    `insert into auth.sign_in_failures as failures (account_hash, failed_at, newest_at) values ($1, array[$2::timestamptz], $2)
     on conflict (account_hash) do update set failed_at = (array_prepend($2, failures.failed_at))[:$3], newest_at = $2
     returning failures.failed_at[$3] between $4 and $5 as attacked`,
    // One more time than an attack needs, and the time of this attempt, which may succeed. Times from the future, when a
    // clock was wrong, show no attack.
    [hashOf(email), at, attackFailures + 2, addSeconds(at, -attackSeconds), addSeconds(at, 60)],
  );
  return rows[0]?.attacked ?? false;
}

async function uncountFailure(db: Database, email: string, at: Date) {
  await db.query(
    `update auth.sign_in_failures
     set failed_at = failed_at[:array_position(failed_at, $2) - 1] || failed_at[array_position(failed_at, $2) + 1:]
     where account_hash = $1 and $2::timestamptz = any (failed_at)`,
    [hashOf(email), at],
  );
}

/** The rows of `auth.sign_in_failures` about this address. */
export function failureKeys(email: string): string[] {
  return [email, decoyOf(email)];
}

/** Where a failure in a known network is counted: it costs the same, and counts for no limit. */
function decoyOf(email: string): string {
  return `decoy of ${email}`;
}
