import type { SupabaseClient } from "@supabase/supabase-js";
import { callBackend, SetupError } from "./client";
import { type Reply, type Result, unanswered } from "./result";

/**
 * Makes a call. After a refusal with 401 it renews the session and repeats the call once. The server also refuses a
 * token that has not expired if its session has ended; the renewal then removes the session from this browser.
 */
export function request<Answered extends Reply>(call: (client: SupabaseClient) => PromiseLike<Answered>) {
  return callBackend(async (client) => {
    const reply = await call(client);
    if (reply.status !== 401) return reply;
    return (await renewSession(client)) ? call(client) : reply;
  });
}

/**
 * Makes a call that a form waits for. A missing setting becomes a failure with a message instead of an exception, so
 * that the form stays filled.
 */
export async function formRequest<Value>(
  call: (client: SupabaseClient) => Promise<Result<Value>>,
  withoutClient?: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return (await callBackend(call, withoutClient)) ?? unanswered;
  } catch (error) {
    if (error instanceof SetupError) return { ok: false, message: error.message };
    throw error;
  }
}

/**
 * Renews the session. If the server has ended the session, removes it from this browser: without this, the client would
 * keep the session until the access token expires.
 */
export async function renewSession(client: SupabaseClient): Promise<boolean> {
  const { error } = await client.auth.refreshSession();
  if (error?.name === "AuthApiError") await client.auth.signOut({ scope: "local" });
  return !error;
}
