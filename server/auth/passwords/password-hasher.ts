import { randomBytes } from "node:crypto";
import { wideNetworkOf } from "#server/http/ip-address";
import { Semaphore } from "#server/http/semaphore";
import { refusals } from "../refusals.ts";
import { hashThreadsMax, runInThread } from "./hash-threads.ts";
import type { HashCost } from "./hash-worker.ts";

/** OWASP's minimum for Argon2id: 19 MiB, two passes. Measured: 8 to 24 ms per hash. */
const defaultCost: HashCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** On whose behalf a hash is computed. */
interface HashCaller {
  ip: string;
  /** Whether the account is known to use this network, or the caller is signed in. */
  isKnown: boolean;
}

/**
 * Fifty waiting hashes are about a second of work; the next request gets 429 at once instead of a timeout later. A flood
 * from one network takes ten of the places, and one from many networks leaves ten to known callers, who go first.
 */
const waitingMax = 50;
const waitingUnknownMax = 40;
const perNetworkMax = 10;
const hashes = new Semaphore(hashThreadsMax);
const queuedOfNetwork = new Map<string, number>();

/**
 * Queues `work` behind the other hashes of this process, however many hashers it has. Throws 429 if too many wait.
 * Without a caller only the whole queue is limited. Exported for the test.
 */
export async function limitHashing<T>(work: () => Promise<T>, caller?: HashCaller): Promise<T> {
  if (hashes.isFull(caller?.isKnown === false ? waitingUnknownMax : waitingMax)) throw refusals.tooBusy();
  if (!caller) return hashes.run(work);

  const network = wideNetworkOf(caller.ip);
  const queued = queuedOfNetwork.get(network) ?? 0;
  if (queued >= perNetworkMax) throw refusals.tooBusy();
  queuedOfNetwork.set(network, queued + 1);
  return hashes.run(work, caller.isKnown).finally(() => {
    const left = (queuedOfNetwork.get(network) ?? 1) - 1;
    if (left > 0) queuedOfNetwork.set(network, left);
    else queuedOfNetwork.delete(network);
  });
}

/** The caller for the limits of the queue; undefined if the limits are off. */
export function hashCaller({ limitsAreOn }: { limitsAreOn: boolean }, ip: string, isKnown = false) {
  return limitsAreOn ? { ip, isKnown } : undefined;
}

export interface PasswordHasher {
  hash(secret: string, caller?: HashCaller): Promise<string>;
  /**
   * Whether `hash` is the hash of `secret`. Without a hash, the result is false after the same work, so timing does not
   * reveal accounts.
   */
  matches(hash: string | null | undefined, secret: string, caller?: HashCaller): Promise<boolean>;
}

/** Hashes passwords and mailed codes with Argon2id. A lower `cost` is for tests, which hash a thousand times. */
export function passwordHasher(cost: HashCost = defaultCost): PasswordHasher {
  const decoy = decoyHash(cost);
  return {
    hash: (secret, caller) => limitHashing(async () => String(await runInThread({ secret, cost })), caller),
    matches: (stored, secret, caller) =>
      limitHashing(async () => {
        const matches = await runInThread({ secret, stored: stored ?? decoy });
        return matches === true && Boolean(stored);
      }, caller),
  };
}

/**
 * The hash that is compared if the address has no account: salt and hash are random, so no password matches it. The
 * comparison takes as long as with a stored hash, because it reads the cost from this text.
 */
function decoyHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const [salt, hash] = [16, 32].map((bytes) => randomBytes(bytes).toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`;
}
