import { backendAddress, publicKey, reachClient, storageKey } from "./client";
import { fetchWithTimeout, withTimeout } from "./timeout";

type Scope = "global" | "local";

/**
 * How long a person waits for the server to end the session. The browser has forgotten it by then and the request goes
 * on without the page, so waiting only serves to have it ended when the next page opens. A healthy server takes less
 * than a second, and a person at a shared computer should not have to stay for longer than this.
 */
const endMillisecondsMax = 3_000;

/** Ends every session of this account, whatever the server says (specification, section 4). */
export async function signOut(): Promise<void> {
  const ended = endStoredSession("global");
  tellClients();
  await ended;
}

/** Ends this session alone: other devices stay signed in. */
export async function signOutHere(): Promise<void> {
  const ended = endStoredSession("local");
  tellClients();
  await ended;
}

/**
 * Forgets all stored auth data at once, then ends the session on the server with the tokens that were kept in memory.
 * The client's own `signOut` needs its stored session and clears it last, so a server that does not answer would leave
 * the tokens in the browser.
 */
export async function endStoredSession(scope: Scope): Promise<void> {
  const tokens = readTokens();
  clearStoredAuth();
  if (tokens) await withTimeout(endOnServer(tokens, scope), endMillisecondsMax);
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  /** In seconds since 1970. */
  expires_at?: number;
}

/** An access token that is over cannot sign out, so it is renewed first, in memory. Never rejects. */
async function endOnServer(tokens: Tokens, scope: Scope): Promise<void> {
  const isOver = (tokens.expires_at ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now();
  if (!isOver && !isRefused(await sendSignOut(tokens.access_token, scope))) return;
  // The clock of this device may be wrong, so a refusal is asked once more too.
  const renewed = await renew(tokens.refresh_token);
  if (renewed) await sendSignOut(renewed, scope);
}

function sendSignOut(token: string, scope: Scope) {
  return post(`/auth/v1/logout?scope=${scope}`, token);
}

async function renew(refreshToken: string): Promise<string | undefined> {
  const answer = await post("/auth/v1/token?grant_type=refresh_token", publicKey(), { refresh_token: refreshToken });
  const body = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  return body?.access_token;
}

function isRefused(answer: Response | undefined): boolean {
  return answer?.status === 401 || answer?.status === 403;
}

/** `keepalive`: the request outlives the page, also when its tab is closed at once. Undefined without an answer. */
function post(path: string, bearer: string, body?: object): Promise<Response | undefined> {
  const headers = {
    apikey: publicKey(),
    authorization: `Bearer ${bearer}`,
    "content-type": "application/json;charset=UTF-8",
  };
  const request = { method: "POST", keepalive: true, headers, body: body && JSON.stringify(body) };
  return fetchWithTimeout(backendAddress(path), request).catch(() => undefined);
}

/** Under this client's own key only: a session that another backend has left here must not be sent to this one. */
function readTokens(): Tokens | undefined {
  try {
    const stored = JSON.parse(window.localStorage.getItem(storageKey() ?? "") ?? "null");
    return stored?.access_token && stored.refresh_token ? stored : undefined;
  } catch {
    // Storage is switched off, or holds something else.
    return undefined;
  }
}

/** Under the names of all versions of the library: version 1 kept its session in "supabase.auth.token". */
function clearStoredAuth() {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    try {
      const storage = window[name];
      for (const key of Object.keys(storage)) if (/^(sb-|supabase\.)/.test(key)) storage.removeItem(key);
    } catch {
      // Storage is switched off: nothing is kept there.
    }
  }
}

/** The stored session is gone, so this sends no request: it has the clients of all tabs report that it is lost. */
function tellClients() {
  reachClient()
    .then((client) => client?.auth.signOut({ scope: "local" }))
    .catch(() => {});
}
