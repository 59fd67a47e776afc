import type { SupabaseClient } from "@supabase/supabase-js";
import { backendAddress, publicKey } from "./client";
import { formRequest, request } from "./request";
import { authFailure, dataFailure, type Reply, type Result, unanswered } from "./result";
import { fetchWithTimeout } from "./timeout";

/** A session of the account that is signed in. */
export interface OwnSession {
  id: string;
  /** RFC 3339, as the next. */
  created_at: string;
  last_used_at: string;
  /** As in "Firefox on Windows". */
  device: string;
  /** The IP address; empty if it is not known. */
  address: string;
  current: boolean;
}

export interface AuditEntry {
  id: string;
  created_at: string;
  ip_address: string;
  payload: { action: string; actor_username: string; traits?: Record<string, unknown> };
}

/** Undefined on a hosted project, which has no such call. */
export function listOwnSessions(): Promise<Result<OwnSession[] | undefined>> {
  return call<OwnSession[]>("/auth/v1/sessions");
}

/** For administrators; undefined as above. */
export function listAudit(): Promise<Result<AuditEntry[] | undefined>> {
  return call<AuditEntry[]>("/auth/v1/audit");
}

/** A session that no longer exists counts as ended. */
export async function endOwnSession(id: string): Promise<Result<undefined>> {
  const ended = await call<undefined>(`/auth/v1/sessions/${encodeURIComponent(id)}`, "DELETE");
  return ended.ok ? { ok: true, value: undefined } : ended;
}

export function endOtherSessions(): Promise<Result<null>> {
  return formRequest(async (client) => {
    const { error } = await client.auth.signOut({ scope: "others" });
    return error ? authFailure(error) : { ok: true, value: null };
  });
}

async function call<Value>(path: string, method = "GET"): Promise<Result<Value | undefined>> {
  const reply = await request((client) => send<Value>(client, path, method));
  if (!reply) return unanswered;
  if (reply.status === 404) return { ok: true, value: undefined };
  return reply.error ? dataFailure(reply) : { ok: true, value: reply.data };
}

/** The auth API answers these with 403; `request` renews the session at the 401 of the data API. */
const endedSessionCodes = ["bad_jwt", "session_not_found"];

async function send<Value>(client: SupabaseClient, path: string, method: string): Promise<Reply & { data?: Value }> {
  const { data } = await client.auth.getSession();
  const headers = { apikey: publicKey(), authorization: `Bearer ${data.session?.access_token ?? publicKey()}` };
  try {
    const response = await fetchWithTimeout(backendAddress(path), { method, headers });
    const body = await response.json().catch(() => undefined);
    if (response.ok) return { status: response.status, error: null, data: body };
    const error = { code: String(body?.code ?? ""), message: String(body?.message ?? "") };
    return { status: endedSessionCodes.includes(error.code) ? 401 : response.status, error };
  } catch {
    return { status: 0, error: { code: "", message: "" } };
  }
}
