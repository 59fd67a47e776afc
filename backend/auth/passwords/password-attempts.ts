import { repeatable } from "#backend/database/reconnect";
import { returnToken, takeToken, tokenOf } from "#backend/limits/rate-limiter";
import type { AuthContext } from "../auth-context.ts";
import { refusalOf } from "../require-limits.ts";
import { findUserByEmail, type User, userColumns } from "../users.ts";

/** The email address is trimmed and lower-cased. It need not have an account. */
interface Guess {
  email: string;
  ip: string;
}

/**
 * Takes an attempt and reads the account, in one statement, or throws 429 before any hash is computed if no attempt is
 * left. An attacker uses up only the attempts of the attacker's own network, and so cannot lock the owner out; what a
 * botnet can try is in docs/security.md. Addresses without an account have the same limit. The attempt is taken before the
 * comparison, so many guesses at once cannot exceed the limit. After a success the caller fills the bucket again.
 */
export async function takePasswordAttempt(context: AuthContext, guess: Guess): Promise<User | undefined> {
  const owner = repeatable(context.owner);
  if (!context.limitsAreOn) return findUserByEmail(owner, guess.email);
  const { rows } = await owner.query<User & { wait: number | null }>({
    name: "password attempt",
    text: `select ${takeToken} as wait, account.* from (select) as attempt
       left join (select ${userColumns} from auth.users where email = $4) as account on true`,
    values: [...tokenOf("passwords", guess), guess.email],
  });
  const [{ wait, ...user } = { wait: null, id: null }] = rows;
  if (wait !== null) throw refusalOf({ name: "passwords", seconds: wait });
  return user.id === null ? undefined : (user as User);
}

/** Compares the password of an attempt. */
export async function comparePassword(
  { owner, hasher }: AuthContext,
  user: User | undefined,
  guess: Guess,
  password: string,
) {
  return hasher.matches(user?.encrypted_password, password).catch(async (error: unknown) => {
    // The password was not compared, for example because the server is too busy.
    await returnToken(owner, "passwords", guess);
    throw error;
  });
}
