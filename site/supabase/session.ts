import type { AuthError, Session, SupabaseClient } from "@supabase/supabase-js";
import { callBackend, reachClient, SetupError, storageKey } from "./client";
import { errorMessageOf } from "./error-message";
import { endStoredSession } from "./sign-out";

/** What came of a call: a value, or the words for the person who asked (undefined: there were none). */
export type Answer<Value> = { ok: true; value: Value } | Failure;

export interface Failure {
  ok: false;
  message: string | undefined;
  /** The server's own name for it, as in "email_not_confirmed". */
  code: string | undefined;
}

export interface User {
  id: string;
  email: string;
}

export const unreachable: Failure = { ok: false, message: undefined, code: undefined };

/** Signs in with nothing left over from whoever was here before (specification, section 4). */
export function signIn(email: string, password: string): Promise<Answer<Session>> {
  return askAuth(async (client) => {
    await endStoredSession("global");
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    return error ? failure(error) : { ok: true, value: data.session };
  });
}

/** Signs up; the value is a session only where the server asks for no confirmation. */
export function signUp(email: string, password: string): Promise<Answer<Session | null>> {
  return askAuth(async (client) => {
    const { data, error } = await client.auth.signUp({ email, password, options: { emailRedirectTo: root() } });
    return error ? failure(error) : { ok: true, value: data.session };
  });
}

/** Asks for the confirmation mail again. The answer is the same whether the address is known or not. */
export function sendConfirmationAgain(email: string): Promise<Answer<null>> {
  return askAuth(async (client) => {
    const { error } = await client.auth.resend({ type: "signup", email, options: { emailRedirectTo: root() } });
    return error ? failure(error) : { ok: true, value: null };
  });
}

/** Takes the session that a confirmation link brought, after asking the server whose it is. */
export function takeSession(accessToken: string, refreshToken: string): Promise<Answer<Session | null>> {
  return askAuth(async (client) => {
    const { data, error } = await client.auth.setSession({ access_token: accessToken, refresh_token: refreshToken });
    return error ? failure(error) : { ok: true, value: data.session };
  });
}

/** Who is signed in, from a token whose signature was checked; "Invalid JWT signature" when it fails. */
export async function findUser(): Promise<Answer<User | null>> {
  const claims = await callBackend((client) => client.auth.getClaims());
  if (!claims) return unreachable;
  const { data, error } = claims;
  // The server has ended the session, and the client has just dropped it.
  if (error?.name === "AuthSessionMissingError") return { ok: true, value: null };
  if (error) return failure(error);
  return { ok: true, value: data ? { id: data.claims.sub, email: data.claims.email ?? "" } : null };
}

/**
 * Calls back when there is a session and when it is lost, in this tab or in another. Returns the way out. No session at
 * the start is not reported: it may also mean that the server could not be asked.
 */
export async function watchSession(changed: (session: Session | null) => void): Promise<() => void> {
  const client = await reachClient().catch((error: unknown) => {
    // The calls of the screen say which setting is missing.
    if (error instanceof SetupError) return undefined;
    throw error;
  });
  if (!client) return () => {};
  const { data } = client.auth.onAuthStateChange((event, session) => {
    if (session || event === "SIGNED_OUT") changed(session);
  });
  // Another tab may forget its session and close before its client could tell this one.
  const notice = ({ key, newValue }: StorageEvent) => {
    if (key === null || (key === storageKey() && newValue === null)) changed(null);
  };
  window.addEventListener("storage", notice);
  return () => {
    data.subscription.unsubscribe();
    window.removeEventListener("storage", notice);
  };
}

/**
 * Renews a session whose token the server has refused; says whether it could. A session that is over on the server ends
 * here too: the client would keep it for the rest of the token's hour.
 */
export async function renewSession(client: SupabaseClient): Promise<boolean> {
  const { error } = await client.auth.refreshSession();
  if (error?.name === "AuthApiError") await client.auth.signOut({ scope: "local" });
  return !error;
}

/** A call that a form waits for. A missing setting is an answer in words, so that the form keeps what was typed. */
export async function askAuth<Value>(call: (client: SupabaseClient) => Promise<Answer<Value>>): Promise<Answer<Value>> {
  try {
    return (await callBackend(call)) ?? unreachable;
  } catch (error) {
    if (error instanceof SetupError) return { ok: false, message: error.message, code: undefined };
    throw error;
  }
}

/** Where the links in our mails end. */
export function root(): string {
  return `${window.location.origin}/`;
}

/** The server's words are passed on; what the library or a gateway says when the server was not there helps nobody. */
export function failure({ name, message, code, status = 0 }: AuthError): Failure {
  const wasThere = name === "AuthRetryableFetchError" ? status === 500 : name !== "AuthUnknownError";
  return { ok: false, message: wasThere ? errorMessageOf(message) : undefined, code };
}
