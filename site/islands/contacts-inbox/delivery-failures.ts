import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type DeliveryFailure, type DeliveryFailures, listDeliveryFailures } from "../../supabase/deliveries";

const queryKey = ["delivery-failures"];

/** What could not be delivered. While there is something, somebody may be mending it and wants to see it go. */
export const deliveryFailures = queryOptions<DeliveryFailures | null>({
  queryKey,
  queryFn: ({ client }) => readDeliveryFailures(client),
  staleTime: 10_000,
  refetchInterval: ({ state }) => (state.data && state.data.total > 0 ? 15_000 : false),
  retry: false,
  networkMode: "always",
});

/** A backend that has no such list is asked once. */
async function readDeliveryFailures(client: QueryClient): Promise<DeliveryFailures | null> {
  if (client.getQueryData(queryKey) === null) return null;
  const reading = await listDeliveryFailures();
  if (!reading.ok) throw new Error(reading.message);
  return reading.value;
}

export interface FailureGroup {
  kind: DeliveryFailure["kind"];
  reason: string;
  gaveUp: boolean;
  count: number;
  since: Date;
  /** Of the one that comes next. */
  nextTry: Date | undefined;
}

/** Equal ones together, the largest group first: a mail server that is down fails them all for one reason. */
export function groupFailures(failures: readonly DeliveryFailure[]): FailureGroup[] {
  const groups = Map.groupBy(failures, ({ kind, reason, gave_up: gaveUp }) => JSON.stringify([kind, reason, gaveUp]));
  return [...groups.values()].map(toGroup).sort((a, b) => b.count - a.count);
}

function toGroup(equal: readonly DeliveryFailure[]): FailureGroup {
  const [{ kind, reason, gave_up: gaveUp }] = equal as [DeliveryFailure];
  const nextTries = equal.flatMap(({ next_try_at: time }) => (time ? [Date.parse(time)] : []));
  return {
    kind,
    reason,
    gaveUp,
    count: equal.length,
    since: new Date(Math.min(...equal.map(({ failing_since: time }) => Date.parse(time)))),
    nextTry: nextTries.length > 0 ? new Date(Math.min(...nextTries)) : undefined,
  };
}
