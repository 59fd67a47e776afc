import { isHosted } from "./client";
import { dataRequest, request } from "./request";
import { dataFailure, type Result, unanswered } from "./result";

/** A mail or webhook call about a contact or an account. Its delivery has been failing for ten minutes or longer. */
export interface DeliveryFailure {
  kind: "mail" | "webhook" | "account-mail";
  /** Why the delivery fails, as a sentence for the operator. */
  reason: string;
  failing_since: string;
  /** Null after the last attempt. */
  next_try_at: string | null;
  gave_up: boolean;
}

export interface DeliveryFailures {
  /** The oldest failures first. */
  failures: DeliveryFailure[];
  total: number;
}

/** The value is null on a hosted Supabase project, which has no such list. */
export async function listDeliveryFailures(): Promise<Result<DeliveryFailures | null>> {
  if (isHosted()) return { ok: true, value: null };
  const reply = await request((client) =>
    client
      .from("delivery_failures")
      .select("kind, reason, failing_since, next_try_at, gave_up", { count: "exact" })
      .order("failing_since")
      .limit(1000),
  );
  if (!reply) return unanswered;
  if (reply.error) return dataFailure(reply);
  return { ok: true, value: { failures: reply.data, total: reply.count ?? reply.data.length } };
}

/** Retries all failed messages at once; the value is their number. */
export function retryDeliveries(): Promise<Result<number>> {
  return dataRequest((client) => client.rpc("retry_deliveries"));
}
