import type { Database } from "#backend/database/transaction";
import { type LimitName, limits, type Subject } from "#backend/limits/limits";
import { type Excess, type LimiterContext, takeLimits } from "#backend/limits/rate-limiter";
import { refusals } from "./refusals.ts";

/** The limits beyond which this API says so. Beyond the others, a code is wrong, or the data API refuses. */
type RefusedLimit = {
  [N in LimitName]: (typeof limits)[N]["beyond"] extends keyof typeof refusals ? N : never;
}[LimitName];

/** Takes a token of each limit, or throws the refusal of the first one that is exceeded. */
export async function requireLimits<N extends RefusedLimit>(
  context: LimiterContext,
  db: Database,
  names: readonly N[],
  subject: Subject<N>,
) {
  const excess = await takeLimits(context, db, names, subject);
  if (excess) throw refusalOf(excess);
}

export function refusalOf({ name, seconds }: Excess<RefusedLimit>): Error {
  return refusals[limits[name].beyond](seconds);
}
