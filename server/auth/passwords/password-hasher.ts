import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { refusals } from "../refusals.ts";

/** OWASP's minimum for Argon2id: 19 MiB, two passes. Measured: 24 ms per hash. */
const defaultCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing runs on the four threads of libuv, which also read files and sign tokens, so two threads stay free for that.
 * Fifty waiting hashes are about a second of work; the next request gets 429 at once instead of a timeout later.
 */
const runningMax = 2;
const waitingMax = 50;
const hashQueue = pLimit(runningMax);

/**
 * Queues `work` behind all other hashes of this process, however many hashers it has. Throws 429 if too many wait.
 * Exported for the test.
 */
export async function limitHashing<T>(work: () => Promise<T>): Promise<T> {
  if (hashQueue.activeCount + hashQueue.pendingCount >= runningMax + waitingMax) throw refusals.tooBusy();
  return hashQueue(work);
}

export interface PasswordHasher {
  hash(secret: string): Promise<string>;
  /**
   * Whether `hash` is the hash of `secret`. Without a hash, the result is false after the same work, so timing does not
   * reveal accounts.
   */
  matches(hash: string | null | undefined, secret: string): Promise<boolean>;
}

/** Hashes passwords and mailed codes with Argon2id. A lower `cost` is for tests, which hash a thousand times. */
export function passwordHasher(cost: Readonly<Record<keyof typeof defaultCost, number>> = defaultCost): PasswordHasher {
  /**
   * The hash that is compared if the address has no account. No password matches it, and the comparison takes as long
   * as with a stored hash.
   */
  const decoy = hash(randomBytes(32), cost);
  return {
    hash: (secret) => limitHashing(() => hash(secret, cost)),
    matches: (stored, secret) =>
      limitHashing(async () => {
        const matches = await verify(stored ?? (await decoy), secret);
        return matches && Boolean(stored);
      }),
  };
}
