import type { ClientBase, Pool } from "pg";
import { repeatable } from "#server/database/reconnect";
import { networkOf, wideNetworkOf } from "#server/http/ip-address";
import { refusals } from "../refusals.ts";
import { isProvedNetwork } from "../sessions/known-devices.ts";
import { type Bucket, resetRateLimits, returnToken, takeTokens } from "./rate-limiter.ts";

const hour = 60 * 60;

/**
 * Limits the guessing of second factors by a thief of the password (docs/protocol.md#attempts-of-second-factors). All
 * factors of an account count together: three of a million codes are right at any time, whichever factor is tried. Where
 * the owner has used the second factor, only that network's own attempts count, so that the thief cannot lock the owner
 * out. Recovery codes cannot be guessed. They have attempts of their own, which no other network can use up.
 */
const limits = {
  ofNetwork: { burst: 10, secondsPerToken: hour },
  ofAllNetworks: { burst: 20, secondsPerToken: 4 * hour },
  ofRecoveryCodes: { burst: 10, secondsPerToken: hour / 6 },
} as const;

interface Guess {
  userId: string;
  ip: string;
  kind: "totp" | "recovery_code";
}

/** An attempt that the limits allowed: the buckets from which it was taken. */
type Attempt = readonly Bucket[];

/** Throws 429 if no attempt is left. Call it before the code is compared. */
export async function takeSecondFactorAttempt(owner: Pool, guess: Guess, now: Date): Promise<Attempt> {
  const { userId, ip } = guess;
  const isProved = guess.kind === "totp" && (await isProvedNetwork(repeatable(owner), userId, ip, now));
  const buckets = isProved ? [bucketOfProvedNetwork(guess)] : bucketsOf(guess);
  const retryAfterSeconds = await takeTokens(repeatable(owner), buckets, now);
  if (retryAfterSeconds > 0) {
    const refuse = guess.kind === "totp" ? refusals.rateLimited : refusals.recoveryCodesLocked;
    throw refuse(retryAfterSeconds);
  }
  return buckets;
}

/** Call after a right code. This network gets all its attempts back; all networks together get this one back. */
export async function returnSecondFactorAttempt(db: ClientBase, [ofNetwork, ofAllNetworks]: Attempt) {
  if (ofNetwork) await resetRateLimits(db, [ofNetwork.key]);
  if (ofAllNetworks) await returnToken(db, ofAllNetworks.key, ofAllNetworks.limit);
}

/** The keys of the limits that count attempts at the second factors of this account, as made from these networks. */
export function secondFactorLimitKeys(userId: string, ips: readonly string[]): string[] {
  const guesses = ips.flatMap((ip) => (["totp", "recovery_code"] as const).map((kind) => ({ userId, ip, kind })));
  return guesses.flatMap((guess) => [...bucketsOf(guess), bucketOfProvedNetwork(guess)].map(({ key }) => key));
}

function bucketOfProvedNetwork({ userId, ip }: Guess): Bucket {
  return { key: `second factor of ${userId} from ${networkOf(ip)}`, limit: limits.ofNetwork };
}

function bucketsOf({ userId, ip, kind }: Guess): Bucket[] {
  const network = wideNetworkOf(ip);
  if (kind === "recovery_code")
    return [{ key: `recovery codes of ${userId} from ${network}`, limit: limits.ofRecoveryCodes }];
  return [
    { key: `second factor of ${userId} from wide ${network}`, limit: limits.ofNetwork },
    { key: `second factor of ${userId}`, limit: limits.ofAllNetworks },
  ];
}
