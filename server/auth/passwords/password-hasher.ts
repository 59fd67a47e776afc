import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { limitConcurrency } from "./concurrency-limit.ts";

/** Argon2id with OWASP's first choice for it: 19 MiB, two passes. 24 ms on the machine it was measured on. */
const usualCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing runs on libuv's four threads, which also read files and sign tokens: two are left free. Fifty waiting are
 * about a second of work; who comes after that hears 429 at once instead of a timeout later.
 */
const inTurn = limitConcurrency({ running: 2, waiting: 50 });

export interface PasswordHasher {
  hash(secret: string): Promise<string>;
  /** Whether `typed` is what was hashed. Without a hash it is not, and finding that out costs the same. */
  matches(hash: string | null | undefined, typed: string): Promise<boolean>;
}

/** Argon2id, for passwords and mailed codes. A lower `cost` is for tests, which hash a thousand times. */
export function passwordHasher(cost: Readonly<Record<keyof typeof usualCost, number>> = usualCost): PasswordHasher {
  /** What an unknown address is checked against: no password matches it, and it costs what a real one costs. */
  const decoy = hash(randomBytes(32), cost);
  return {
    hash: (secret) => inTurn(() => hash(secret, cost)),
    matches: (known, typed) =>
      inTurn(async () => {
        const matches = await verify(known ?? (await decoy), typed);
        return matches && Boolean(known);
      }),
  };
}
