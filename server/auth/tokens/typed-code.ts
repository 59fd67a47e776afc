import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireLimits, takeLimits } from "../limits/rate-limiter.ts";
import { hashCaller } from "../passwords/password-hasher.ts";
import { findNewestCode, type MailedCode, type Purpose, takeCodeAttempt } from "./one-time-tokens.ts";

interface TypedCode {
  email: string;
  /** What the code may be for. They share their attempts, which count for the first. */
  purposes: readonly Purpose[];
  code: string;
  ip: string;
}

/**
 * Compares a typed code with that of the newest mail. Returns undefined if it is wrong; else the caller must still use it
 * up. The attempt is committed before the code is compared, so it counts even if the request fails later. For an address
 * without an account or a code, the same SQL statements and the same hash run, so timing does not reveal accounts.
 */
export async function matchCode(
  context: AuthContext,
  { email, purposes, code, ip }: TypedCode,
): Promise<MailedCode | undefined> {
  const { owner, hasher, now } = context;
  const [purpose] = purposes;
  if (!purpose) return undefined;
  const guess = { email, purpose, ip };
  await requireLimits(context, repeatable(owner), ["codes", "codes from all networks"], guess);

  const mailed = await findNewestCode(repeatable(owner), { email, purposes }, now());
  const guessAtCode = { ...guess, code: mailed?.codeHash ?? "none" };
  const excess = await takeLimits(context, repeatable(owner), ["tries of one code"], guessAtCode);
  const attempt = await inTransaction(owner, async (db) => {
    const taken = (await takeCodeAttempt(db, excess ? undefined : mailed)) ? mailed : undefined;
    const user = taken && { id: taken.userId, email };
    await writeAuditLog(db, { action: "verification_attempted", user, at: now(), traits: { purpose }, ip });
    return taken;
  });
  // Ignore spaces: the mail shows the code in two halves.
  const caller = hashCaller(context, ip);
  return (await hasher.matches(attempt?.codeHash, code.replace(/\s/g, ""), caller)) ? attempt : undefined;
}
