import type { Session } from "@supabase/auth-js";
import { callBackend, publicKey, storageKey, tryLoadClient } from "./client";
import { authRequest, dataRequest, formRequest, renewSession as renewSessionOf, requireStored } from "./request";
import { authFailure, type Result, unanswered } from "./result";
import { endStoredSession, readTokens } from "./sign-out";

export interface User {
  id: string;
  email: string;
}

/** Signs in, after removing what is left of an earlier session (docs/specification.md#clearing-before-login). */
export async function signIn(email: string, password: string): Promise<Result<Session>> {
  const result = await authRequest(
    async (auth) => {
      await endStoredSession("global");
      return auth.signInWithPassword({ email, password });
    },
    ({ session }) => session,
  );
  return requireStored(result);
}

/** Signs up. The value is null if the address must be confirmed first, else a session. */
export function signUp(email: string, password: string): Promise<Result<Session | null>> {
  return authRequest(
    (auth) => auth.signUp({ email, password, options: { emailRedirectTo: siteRoot() } }),
    ({ session }) => session,
  );
}

/** Requests the confirmation mail again. The answer does not tell whether the address has an account. */
export function resendConfirmation(email: string): Promise<Result<null>> {
  return authRequest(
    (auth) => auth.resend({ type: "signup", email, options: { emailRedirectTo: siteRoot() } }),
    () => null,
  );
}

/** Stores the session of a mailed link to the API, after the server has confirmed its user. */
export async function setSession(accessToken: string, refreshToken: string): Promise<Result<Session | null>> {
  const result = await authRequest(
    (auth) => auth.setSession({ access_token: accessToken, refresh_token: refreshToken }),
    ({ session }) => session,
  );
  return requireStored(result);
}

/**
 * Returns the user of a link's token and the present one, if any, or null if it is the same. A link of a stranger must
 * not log a person in unnoticed, who would then write into the stranger's account. The server checks the token, because
 * anyone can write a link with any address in it.
 */
export function findUserOfLink(accessToken: string): Promise<Result<{ present: string; linked: string } | null>> {
  return formRequest(async (client) => {
    const stored = await client.auth.getSession();
    // The server did not answer, so the stored session may still be valid.
    if (stored.error?.name === "AuthRetryableFetchError") return authFailure(stored.error);
    const present = stored.data.session?.user;
    const { data, error } = await client.auth.getUser(accessToken);
    if (error) return authFailure(error);
    const isSame = data.user.id === present?.id;
    return { ok: true, value: isSame ? null : { present: present?.email ?? "", linked: data.user.email ?? "" } };
  });
}

/** The value is null if the session has ended. */
export function renewSession(): Promise<Result<Session | null>> {
  return formRequest(renewSessionOf);
}

/** Whether the account of this session has no password yet. A hosted project does not tell. */
export function lacksPassword(session: Session | null): boolean {
  return session?.user.app_metadata.has_password === false;
}

/** Returns the user of the stored session after a check of the token's signature, or null without a session. */
export async function findUser(): Promise<Result<User | null>> {
  // Without the client library, so that a visitor is redirected at once. Where a setting is missing, the library says so.
  if (storageKey() && publicKey() && !readTokens()) return { ok: true, value: null };
  // The clock of this device may be wrong. The servers refuse a token that has expired.
  const claims = await callBackend((client) => client.auth.getClaims(undefined, { allowExpired: true }));
  if (!claims) return unanswered;
  const { data, error } = claims;
  // The server has ended the session and the client has just removed it, so nobody is signed in.
  if (error?.name === "AuthSessionMissingError") return { ok: true, value: null };
  if (error) return authFailure(error);
  return { ok: true, value: data ? { id: data.claims.sub, email: data.claims.email ?? "" } : null };
}

/** Checks whether this user has the role 'admin' (docs/specification.md#role-check). */
export function isAdmin(userId: string): Promise<Result<boolean>> {
  return dataRequest((client) => client.rpc("has_role", { _user_id: userId, _role: "admin" }));
}

/**
 * Calls `changed` when there is a session and when the session is lost, in this tab or in another one. Returns a
 * function that stops the watching. A missing session at the start is not reported, because the reason may only be that
 * the server did not answer.
 */
export async function watchSession(changed: (session: Session | null) => void): Promise<() => void> {
  // Where a setting is missing, the other calls of the screen show the message about it.
  const client = await tryLoadClient().catch(() => undefined);
  if (!client) return () => {};
  const { data } = client.auth.onAuthStateChange((event, session) => {
    if (session || event === "SIGNED_OUT") changed(session);
  });
  // Storage events are watched too: another tab can remove the shared session and be closed before its client has
  // notified this tab.
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === null || (key === storageKey() && newValue === null)) changed(null);
  };
  window.addEventListener("storage", onStorage);
  return () => {
    data.subscription.unsubscribe();
    window.removeEventListener("storage", onStorage);
  };
}

/** The redirect target of links in mails. */
export function siteRoot(): string {
  return `${window.location.origin}/`;
}
