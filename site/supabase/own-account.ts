import type { SupabaseClient } from "@supabase/supabase-js";
import { backendAddress, isHosted, publicKey } from "./client";
import { authRequest, request } from "./request";
import { dataFailure, type Reply, type Result, unanswered } from "./result";
import { appsOf, type Factor } from "./second-factor";
import { siteRoot } from "./session";
import { fetchWithTimeout } from "./timeout";

/** What the page shows of the account itself. */
export interface OwnAccount {
  /** The address that the account gets when both addresses have confirmed it. */
  newEmail: string | undefined;
  factors: readonly Factor[];
}

/** A session of the account that is signed in. */
export interface OwnSession {
  id: string;
  /** `created_at` and `last_used_at` are times in the format of RFC 3339. */
  created_at: string;
  last_used_at: string;
  /** Browser and system, such as "Firefox on Windows". */
  device: string;
  /** The IP address; empty if it is not known. */
  address: string;
  current: boolean;
}

export interface AuditEntry {
  id: string;
  created_at: string;
  ip_address: string;
  payload: {
    action: string;
    actor_username: string;
    traits?: Record<string, unknown>;
    /** One entry may stand for many attempts on one account, `created_at` being the time of the last. */
    repeats?: { times: number; addresses: number; since: string };
  };
}

export function readOwnAccount(): Promise<Result<OwnAccount>> {
  return authRequest(
    (auth) => auth.getUser(),
    ({ user }) => ({ newEmail: user.new_email, factors: appsOf(user) }),
  );
}

/** Asks for another address of the account: both addresses get a mail, and both have to confirm. */
export function requestEmailChange(email: string): Promise<Result<null>> {
  return authRequest(
    (auth) => auth.updateUser({ email }, { emailRedirectTo: siteRoot() }),
    () => null,
  );
}

/** The value is undefined on a hosted Supabase project, which has no such call. */
export async function listOwnSessions(): Promise<Result<OwnSession[] | undefined>> {
  return isHosted() ? { ok: true, value: undefined } : call("/auth/v1/sessions");
}

/** Reads the audit log, for administrators. The value is undefined on a hosted Supabase project. */
export async function listAudit(): Promise<Result<AuditEntry[] | undefined>> {
  return isHosted() ? { ok: true, value: undefined } : call("/auth/v1/audit");
}

/** Ends one session. A session that no longer exists (404) counts as ended. */
export async function endOwnSession(id: string): Promise<Result<undefined>> {
  return call(`/auth/v1/sessions/${encodeURIComponent(id)}`, "DELETE");
}

export function endOtherSessions(): Promise<Result<null>> {
  return authRequest(
    (auth) => auth.signOut({ scope: "others" }),
    () => null,
  );
}

async function call<Value>(path: string, method = "GET"): Promise<Result<Value | undefined>> {
  const reply = await request((client) => send<Value>(client, path, method));
  if (!reply) return unanswered;
  if (reply.status === 404) return { ok: true, value: undefined };
  return reply.error ? dataFailure(reply) : { ok: true, value: reply.data };
}

/**
 * When the session has ended, the auth API answers 403 with one of these codes. `send` reports that as 401, as the data
 * API does, so that `request` renews the session.
 */
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
