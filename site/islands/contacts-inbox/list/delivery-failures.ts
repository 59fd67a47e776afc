import { queryOptions } from "@tanstack/react-query";
import { type DeliveryFailure, type DeliveryFailures, listDeliveryFailures } from "../../../supabase/deliveries";
import { unwrap } from "../load-error";

/**
 * The failed deliveries; null on a hosted Supabase project, which has no such list. While there are any, the list is
 * read every 15 seconds, so that a success shows soon.
 */
export const deliveryFailures = queryOptions<DeliveryFailures | null>({
  queryKey: ["delivery-failures"],
  queryFn: async () => unwrap(await listDeliveryFailures()),
  staleTime: 10_000,
  refetchInterval: ({ state }) => (state.data && state.data.total > 0 ? 15_000 : false),
});

export interface FailureGroup {
  kind: DeliveryFailure["kind"];
  reason: string;
  gaveUp: boolean;
  count: number;
  since: Date;
  /** The earliest next attempt of all failures in the group. */
  nextAttempt: Date | undefined;
}

/** Groups failures with the same reason, the largest group first: if a mail server is down, all mails fail alike. */
export function groupFailures(failures: readonly DeliveryFailure[]): FailureGroup[] {
  const groups = Map.groupBy(failures, ({ kind, reason, gave_up: gaveUp }) => JSON.stringify([kind, reason, gaveUp]));
  return [...groups.values()].map(toGroup).sort((a, b) => b.count - a.count);
}

function toGroup(failures: readonly DeliveryFailure[]): FailureGroup {
  const [{ kind, reason, gave_up: gaveUp }] = failures as [DeliveryFailure];
  const nextAttempts = failures.flatMap(({ next_try_at: time }) => (time ? [Date.parse(time)] : []));
  return {
    kind,
    reason,
    gaveUp,
    count: failures.length,
    since: new Date(Math.min(...failures.map(({ failing_since: time }) => Date.parse(time)))),
    nextAttempt: nextAttempts.length > 0 ? new Date(Math.min(...nextAttempts)) : undefined,
  };
}
