import { withStorage } from "./browser-storage";
import { backendAddress, publicKey, storageKey, tryLoadClient } from "./client";
import { fetchWithTimeout, withTimeout } from "./timeout";

export type Scope = "global" | "local";

/**
 * The page waits at most this long for the server's answer before it goes on. By then the server has usually ended the
 * session. A longer wait gains nothing: the stored tokens are already removed, and the browser completes the request
 * even after the page has closed.
 */
const waitMillisecondsMax = 3_000;

let pending: Promise<void> | undefined;

/**
 * Ends all sessions of this account, or with "local" only this one: other devices stay signed in. Errors of the server are
 * ignored (docs/specification.md#logout).
 */
export function signOut(scope: Scope) {
  pending = endStoredSession(scope);
  notifyClients();
}

/** The sign-out that a person has begun on this page; undefined if there is none. */
export function pendingSignOut(): Promise<void> | undefined {
  return pending;
}

/**
 * Removes all stored auth data at once, then ends the session on the server with the tokens kept in memory. The
 * library's `signOut` clears its storage last, so a server that does not answer would leave the tokens in the browser.
 */
export async function endStoredSession(scope: Scope): Promise<void> {
  const tokens = readTokens();
  clearStoredAuth();
  if (tokens) await withTimeout(endOnServer(tokens, scope), waitMillisecondsMax);
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires, in seconds since 1970, by the clock of this device. */
  expires_at: number;
  user?: { id: string };
}

/**
 * The server refuses a logout with an expired access token, so such a token is renewed first. The new token stays in
 * memory. The promise never rejects.
 */
async function endOnServer(tokens: Tokens, scope: Scope): Promise<void> {
  const isExpired = tokens.expires_at * 1000 <= Date.now();
  if (!isExpired && !isRefused(await sendSignOut(tokens.access_token, scope))) return;
  // A refused token is renewed too: if the clock of this device is wrong, the token may have expired unnoticed.
  const renewed = await renew(tokens.refresh_token);
  if (renewed) await sendSignOut(renewed, scope);
}

function sendSignOut(token: string, scope: Scope) {
  return post(`/auth/v1/logout?scope=${scope}`, token);
}

async function renew(refreshToken: string): Promise<string | undefined> {
  const response = await post("/auth/v1/token?grant_type=refresh_token", publicKey(), { refresh_token: refreshToken });
  const body = response?.ok ? await response.json().catch(() => undefined) : undefined;
  return body?.access_token;
}

function isRefused(response: Response | undefined): boolean {
  return response?.status === 401 || response?.status === 403;
}

/** `keepalive` lets the request outlive the page, even if its tab is closed. Returns undefined if no answer arrives. */
function post(path: string, bearer: string, body?: object): Promise<Response | undefined> {
  const headers = {
    apikey: publicKey(),
    authorization: `Bearer ${bearer}`,
    "content-type": "application/json;charset=UTF-8",
  };
  const request = { method: "POST", keepalive: true, headers, body: body && JSON.stringify(body) };
  return fetchWithTimeout(backendAddress(path), request).catch(() => undefined);
}

/** Reads only this client's own key: the session of another backend must not be sent to this one. */
export function readTokens(): Tokens | undefined {
  return withStorage("localStorage", (storage) => {
    const stored = JSON.parse(storage.getItem(storageKey() ?? "") ?? "null");
    return stored?.access_token && stored.refresh_token ? stored : undefined;
  });
}

/** Removes the keys of all versions of the library: version 1 used "supabase.auth.token". */
function clearStoredAuth() {
  for (const area of ["localStorage", "sessionStorage"] as const)
    withStorage(area, (storage) => {
      for (const key of Object.keys(storage)) if (/^(sb-|supabase\.)/.test(key)) storage.removeItem(key);
    });
}

/** Makes the clients of all tabs report the lost session. The stored session is gone, so this sends no request. */
function notifyClients() {
  tryLoadClient()
    .then((client) => client?.auth.signOut({ scope: "local" }))
    .catch(() => {});
}
