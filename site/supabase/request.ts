import type { AuthError, Session } from "@supabase/auth-js";
import { pageProblems } from "#content/page-problems";
import type { BackendClient } from "./backend-client";
import { storageProblemOf } from "./browser-storage";
import { callBackend, SetupError } from "./client";
import { authFailure, dataFailure, type Failure, type Reply, type Result, unanswered } from "./result";
import { readTokens } from "./sign-out";

/**
 * Makes a call. After a refusal with 401 it renews the session and repeats the call once. The server also refuses a
 * token that has not expired if its session has ended; the renewal then removes the session from this browser.
 */
export function request<Answered extends Reply>(call: (client: BackendClient) => PromiseLike<Answered>) {
  return callBackend(async (client) => {
    const reply = await call(client);
    if (reply.status !== 401) return reply;
    const renewed = await renewSession(client);
    return renewed.ok && renewed.value ? call(client) : reply;
  });
}

/** Makes a call to the data API, and gives its data. */
export async function dataRequest<Data>(
  call: (client: BackendClient) => PromiseLike<Reply & { data: Data | null }>,
): Promise<Result<Data>> {
  const reply = await request(call);
  if (!reply) return unanswered;
  // The library takes an empty page with 404, of a firewall, for a success with 204. No call has an answer without data.
  return reply.error || reply.status === 204 ? dataFailure(reply) : { ok: true, value: reply.data as Data };
}

/**
 * Makes a call that a form waits for. A missing setting becomes a failure with a message instead of an exception, so
 * that the form stays filled.
 */
export async function formRequest<Value>(
  call: (client: BackendClient) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return (await callBackend(call)) ?? unanswered;
  } catch (error) {
    if (error instanceof SetupError) return { ok: false, message: error.message };
    // The library could not store the session.
    if (error instanceof DOMException) return notStored(error);
    throw error;
  }
}

type AuthReply = { data?: unknown; error: AuthError | null };

/** Makes such a call to the auth API. `pick` picks the value from its data. */
export function authRequest<Answered extends AuthReply, Value>(
  call: (auth: BackendClient["auth"]) => Promise<Answered>,
  pick: (data: Extract<Answered, { error: null }>["data"]) => Value,
): Promise<Result<Value>> {
  return formRequest(async ({ auth }) => {
    const { data, error } = await call(auth);
    return error ? authFailure(error) : { ok: true, value: pick(data) };
  });
}

/** A session that the browser does not keep would end with this page, and the next page would ask for a login again. */
export function requireStored<Value extends Session | null>(result: Result<Value>): Result<Value> {
  return result.ok && result.value && !readTokens() ? notStored() : result;
}

function notStored(error?: DOMException): Failure {
  return { ok: false, code: "not_stored", message: pageProblems[storageProblemOf(error)] };
}

/**
 * Renews the session: its level and the factors of its user may have changed on another device. The value is null if the
 * server has ended the session. This browser then forgets it: the client would keep it until the access token expires.
 */
export async function renewSession(client: BackendClient): Promise<Result<Session | null>> {
  const before = readTokens()?.refresh_token;
  const { data, error } = await client.auth.refreshSession();
  if (!error) return { ok: true, value: data.session };
  const isEnded = error.name === "AuthSessionMissingError" || (error.name === "AuthApiError" && error.status === 400);
  if (!isEnded) return authFailure(error);
  // Another tab may have logged in meanwhile.
  if (readTokens()?.refresh_token === before) await client.auth.signOut({ scope: "local" });
  return { ok: true, value: null };
}
