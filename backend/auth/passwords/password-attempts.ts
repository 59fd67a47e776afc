import { repeatable } from "#backend/database/reconnect";
import { requireLimits, returnToken } from "#backend/limits/rate-limiter";
import type { AuthContext } from "../auth-context.ts";
import type { User } from "../users.ts";

interface Guess {
  /** The email address, trimmed and lower-cased. It need not have an account. */
  email: string;
  user: User | undefined;
  password: string;
  ip: string;
}

/**
 * Compares a password, or throws 429 before any hash is computed if no attempt is left. An attacker uses up only the
 * attempts of the attacker's own network, and so cannot lock the owner out; what a botnet can try is in docs/security.md.
 * Addresses without an account have the same limit. The attempt is taken before the comparison, so many guesses at once
 * cannot exceed the limit. After a success the caller fills the bucket again.
 */
export async function tryPassword(context: AuthContext, { email, user, password, ip }: Guess): Promise<boolean> {
  const { owner, hasher } = context;
  await requireLimits(context, repeatable(owner), ["passwords"], { email, ip });
  return hasher.matches(user?.encrypted_password, password).catch(async (error: unknown) => {
    // The password was not compared, for example because the server is too busy.
    await returnToken(owner, "passwords", { email, ip });
    throw error;
  });
}
