import { failure, type Result, request, unreachable } from "./request";

/** A message about a contact or an account that has been failing for ten minutes or longer. */
export interface DeliveryFailure {
  kind: "mail" | "webhook" | "account-mail";
  /** In words, for the person who runs the site. */
  reason: string;
  failing_since: string;
  /** Null once nobody tries any more. */
  next_try_at: string | null;
  gave_up: boolean;
}

export interface DeliveryFailures {
  /** Those that began first. */
  failures: DeliveryFailure[];
  total: number;
}

/** Null where there is no such list: a hosted project delivers by means of its own. */
export async function listDeliveryFailures(): Promise<Result<DeliveryFailures | null>> {
  const reply = await request((client) =>
    client
      .from("delivery_failures")
      .select("kind, reason, failing_since, next_try_at, gave_up", { count: "exact" })
      .order("failing_since")
      .limit(1000),
  );
  if (!reply) return unreachable;
  if (reply.error?.code === "PGRST205") return { ok: true, value: null };
  if (reply.error) return failure(reply);
  return { ok: true, value: { failures: reply.data, total: reply.count ?? reply.data.length } };
}

/** Has everything that failed tried again at once; the value says how much that is. */
export async function retryDeliveries(): Promise<Result<number>> {
  const reply = await request((client) => client.rpc("retry_deliveries"));
  if (!reply) return unreachable;
  return reply.error ? failure(reply) : { ok: true, value: Number(reply.data) };
}
