import type { ClientBase } from "pg";
import { repeatable } from "#backend/database/reconnect";
import type { AuthContext } from "../auth-context.ts";
import type { User } from "../users.ts";
import { fillBuckets, refusalOf, returnToken, takeLimits } from "./rate-limiter.ts";

interface Guess {
  /** The email address, trimmed and lower-cased. It need not have an account. */
  email: string;
  user: User | undefined;
  password: string;
  ip: string;
  isSignedIn?: boolean;
}

const limit = ["passwords"] as const;

/**
 * Compares a password, or throws 429 before any hash is computed if no attempt is left
 * (docs/protocol.md#password-attempts). An attacker uses up only the attempts of the attacker's own network and cannot
 * lock the owner out. Addresses without an account have the same limits. The attempt counts as a failure until
 * `recordSuccess` is called, so many guesses at once cannot exceed the limit.
 */
export async function tryPassword(context: AuthContext, { email, user, password, ip, isSignedIn = false }: Guess) {
  const { owner, hasher } = context;
  const stored = user?.encrypted_password;
  if (!context.limitsAreOn) return { matches: await hasher.matches(stored, password), recordSuccess: async () => {} };

  const subject = { email, ip };
  const excess = await takeLimits(context, repeatable(owner), limit, subject);
  if (excess) throw refusalOf(excess);
  const matches = await hasher.matches(stored, password, { ip, isKnown: isSignedIn }).catch(async (error: unknown) => {
    // The password was not compared, for example because the server is too busy.
    await returnToken(owner, "passwords", subject);
    throw error;
  });
  return { matches, recordSuccess: (db: ClientBase) => fillBuckets(db, limit, subject) };
}
