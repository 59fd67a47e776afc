import type { SupabaseClient } from "@supabase/supabase-js";
import { callBackend } from "./client";
import { errorMessageOf } from "./error-message";
import { renewSession } from "./session";

export type Result<Value> = { ok: true; value: Value } | RequestFailure;

/** Reading was refused for want of rights, or failed for another reason. */
export interface RequestFailure {
  ok: false;
  refused: boolean;
  message: string | undefined;
}

export const unreachable: RequestFailure = { ok: false, refused: false, message: undefined };

interface Reply {
  status: number;
  error: { code: string; message: string } | null;
}

/** Asks once more with a renewed token when the first was refused: a token may outlive its session. */
export function request<Answered extends Reply>(question: (client: SupabaseClient) => PromiseLike<Answered>) {
  return callBackend(async (client) => {
    const reply = await question(client);
    if (reply.status !== 401) return reply;
    return (await renewSession(client)) ? question(client) : reply;
  });
}

/** Without a status nobody answered, and the browser's own words about that help nobody. */
export function failure({ status, error }: Reply): RequestFailure {
  const message = status > 0 ? errorMessageOf(error?.message) : undefined;
  return { ok: false, refused: status === 403 || error?.code === "42501", message };
}
