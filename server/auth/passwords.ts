import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { inTurns } from "./turns.ts";

/** Argon2id with OWASP's first choice for it: 19 MiB, two passes. 24 ms on the machine it was measured on. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing runs on libuv's four threads, which also read files and sign tokens: two are left free. Fifty waiting are
 * about a second of work; who comes after that hears 429 at once instead of a timeout later.
 */
const inTurn = inTurns({ running: 2, waiting: 50 });

/** What an unknown address is checked against: nobody knows its password, and it costs what a real one costs. */
const decoyHash = hash(randomBytes(32), cost);

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/** Takes as long for an account that does not exist, or has no password, as for one that has. */
export function isPasswordOf(account: { encrypted_password: string | null } | undefined, password: string) {
  return isSecretOf(account?.encrypted_password, password);
}

/** Whether `typed` is what was hashed. Without a hash it is not, and that takes as long. */
export function isSecretOf(hash: string | null | undefined, typed: string): Promise<boolean> {
  return inTurn(async () => {
    const matches = await verify(hash ?? (await decoyHash), typed);
    return matches && Boolean(hash);
  });
}
