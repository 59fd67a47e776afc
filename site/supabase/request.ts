import type { SupabaseClient } from "@supabase/supabase-js";
import { callBackend, SetupError } from "./client";
import { type Reply, type Result, unanswered } from "./result";

/** Repeats a call that was refused with 401 once, with a renewed token: a token can outlive its session. */
export function request<Answered extends Reply>(call: (client: SupabaseClient) => PromiseLike<Answered>) {
  return callBackend(async (client) => {
    const reply = await call(client);
    if (reply.status !== 401) return reply;
    return (await renewSession(client)) ? call(client) : reply;
  });
}

/** A call that a form waits for. A missing setting is a failure with a message, so that the form stays filled. */
export async function formRequest<Value>(
  call: (client: SupabaseClient) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return (await callBackend(call)) ?? unanswered;
  } catch (error) {
    if (error instanceof SetupError) return { ok: false, message: error.message };
    throw error;
  }
}

/** A session that the server has ended ends here too: the client would keep it until its access token expires. */
async function renewSession(client: SupabaseClient): Promise<boolean> {
  const { error } = await client.auth.refreshSession();
  if (error?.name === "AuthApiError") await client.auth.signOut({ scope: "local" });
  return !error;
}
