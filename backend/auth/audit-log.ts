import { randomBytes } from "node:crypto";
import type { Database } from "#backend/database/transaction";
import { networkOf } from "#backend/http/ip-address";
import { hashOf } from "./tokens/random-tokens.ts";

/** Events that anyone can cause without an account or with a stolen password, as often as the limits allow. */
const attempts: ReadonlySet<string> = new Set([
  "login_failed",
  "user_confirmation_requested",
  "user_repeated_signup",
  "user_recovery_requested",
  "verification_attempted",
  "factor_in_progress",
]);

interface Event {
  /** Most actions are upstream's (docs/operating.md#who-may-read-the-contacts). */
  action: string;
  /** Undefined for an address without an account, which is not logged: it may be a password in the wrong field. */
  user: { id: string; email: string } | undefined;
  traits?: Record<string, unknown>;
}

/**
 * The same attempts of a network within an hour share a row, which counts them: a flood would otherwise add two rows a
 * second for AUDIT_DAYS. The statement is the same for all, so its time does not reveal accounts. Upstream leaves the
 * address out of most entries, but operators need it to investigate an incident.
 */
export async function writeAuditLog(db: Database, { ip = "", ...event }: Event & { ip?: string }) {
  const payload = auditPayload(event);
  const group = attempts.has(event.action) ? hashOf(payload + (ip && networkOf(ip))) : randomBytes(32);
  await db.query(
    `insert into auth.audit_log_entries as entry (id, payload, created_at, ip_address)
     values (encode(substring(sha256($1::bytea || extract(epoch from date_trunc('hour', now()))::text::bytea) for 16), 'hex')::uuid,
       $2, now(), $3)
     on conflict (id) do update set created_at = now(), ip_address = $3, payload = entry.payload || jsonb_build_object('repeats',
       jsonb_build_object('times', coalesce((entry.payload #>> '{repeats,times}')::integer, 1) + 1,
         'since', coalesce(entry.payload #> '{repeats,since}', to_jsonb(entry.created_at))))`,
    [group, payload, ip],
  );
}

const noUser = { id: "00000000-0000-0000-0000-000000000000", email: "" };

export function auditPayload({ action, user = noUser, traits }: Event): string {
  return JSON.stringify({ actor_id: user.id, actor_username: user.email, action, traits });
}
