import type { SupabaseClient } from "@supabase/supabase-js";
import { backendAddress, publicKey } from "./client";
import { failure, type Result, request, unreachable } from "./request";
import { type Answer, askAuth, failure as authFailure } from "./session";
import { fetchWithTimeout } from "./timeout";

/** A place where this account is signed in. */
export interface OwnSession {
  id: string;
  /** RFC 3339, as the next. */
  created_at: string;
  last_used_at: string;
  /** As in "Firefox on Windows". */
  device: string;
  /** Of the internet; empty if it is not known. */
  address: string;
  current: boolean;
}

export interface AuditEntry {
  id: string;
  created_at: string;
  ip_address: string;
  payload: { action: string; actor_username: string; traits?: Record<string, unknown> };
}

/** Undefined where nobody can tell: our own server can, a hosted project has no such call. */
export function listOwnSessions(): Promise<Result<OwnSession[] | undefined>> {
  return read<OwnSession[]>("/auth/v1/sessions");
}

/** For administrators; undefined as above. */
export function listAudit(): Promise<Result<AuditEntry[] | undefined>> {
  return read<AuditEntry[]>("/auth/v1/audit");
}

/** One that is no longer there has ended as well. */
export async function endOwnSession(id: string): Promise<Result<undefined>> {
  const ended = await read<undefined>(`/auth/v1/sessions/${encodeURIComponent(id)}`, "DELETE");
  return ended.ok ? { ok: true, value: undefined } : ended;
}

export function endOtherSessions(): Promise<Answer<null>> {
  return askAuth(async (client) => {
    const { error } = await client.auth.signOut({ scope: "others" });
    return error ? authFailure(error) : { ok: true, value: null };
  });
}

async function read<Value>(path: string, method = "GET"): Promise<Result<Value | undefined>> {
  const reply = await request((client) => send<Value>(client, path, method));
  if (!reply) return unreachable;
  if (reply.status === 404) return { ok: true, value: undefined };
  return reply.error ? failure(reply) : { ok: true, value: reply.data };
}

interface Reply<Value> {
  status: number;
  error: { code: string; message: string } | null;
  data: Value | undefined;
}

/** The auth service says 403 about a token that is over. `ask` renews at a 401, as the data service says it. */
const tokenIsOver = ["bad_jwt", "session_not_found"];

async function send<Value>(client: SupabaseClient, path: string, method: string): Promise<Reply<Value>> {
  const { data } = await client.auth.getSession();
  const headers = { apikey: publicKey(), authorization: `Bearer ${data.session?.access_token ?? publicKey()}` };
  try {
    const answer = await fetchWithTimeout(backendAddress(path), { method, headers });
    const body = await answer.json().catch(() => undefined);
    if (answer.ok) return { status: answer.status, error: null, data: body };
    const error = { code: String(body?.code ?? ""), message: String(body?.message ?? "") };
    return { status: tokenIsOver.includes(error.code) ? 401 : answer.status, error, data: undefined };
  } catch {
    return { status: 0, error: { code: "", message: "" }, data: undefined };
  }
}
