import type { ClientBase } from "pg";
import { repeatable } from "#server/database/reconnect";
import type { AuthContext } from "../auth-context.ts";
import { isProvedNetwork } from "../sessions/known-devices.ts";
import { fillBuckets, requireLimits, returnToken } from "./rate-limiter.ts";

/**
 * Limits the guessing of second factors by a thief of the password (docs/protocol.md#attempts-of-second-factors). All
 * factors of an account count together: three of a million codes are right at any time, whichever factor is tried. Where
 * the owner has used the second factor, only that network's own attempts count, so that the thief cannot lock the owner
 * out.
 *
 * Throws 429 if no attempt is left. Call it before the code is compared, and what it returns after a right code: this
 * network gets all its attempts back, all networks together get this one back.
 */
export async function takeSecondFactorAttempt(context: AuthContext, guess: { user: string; ip: string }) {
  const owner = repeatable(context.owner);
  const isProved = await isProvedNetwork(owner, guess.user, guess.ip, context.now());
  const ofNetwork = isProved ? "second factors in a proved network" : "second factors";
  const ofAll = "second factors from all networks";
  await requireLimits(context, owner, isProved ? [ofNetwork] : [ofNetwork, ofAll], guess);
  return async (db: ClientBase) => {
    await fillBuckets(db, [ofNetwork], guess);
    if (!isProved) await returnToken(db, ofAll, guess);
  };
}
