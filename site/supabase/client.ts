import type { BackendClient } from "./backend-client";
import { fetchWithTimeout, withTimeout } from "./timeout";

/** Thrown when a setting is missing. The message is the client library's, such as "supabaseUrl is required." */
export class SetupError extends Error {}

let client: Promise<BackendClient> | undefined;

/** Returns the page's only Supabase client, loaded at the first call, because the library is larger than the page. */
function loadClient(): Promise<BackendClient> {
  client ??= import("./backend-client").then(({ createBackendClient }) => {
    const problem = setupProblem();
    if (problem) throw new SetupError(problem);
    return createBackendClient({
      url: backendAddress(""),
      publicKey: publicKey(),
      storageKey: storageKey() ?? "",
      fetch: fetchByOwnClock,
    });
  });
  // Forget a download that failed, so that the next call tries again.
  client.catch(() => {
    client = undefined;
  });
  return client;
}

/**
 * The library compares the time at which a session expires with the clock of this device, which may be hours ahead or
 * behind. It gets only the seconds that are left, which are the same by both clocks, and reckons the time itself.
 */
const fetchByOwnClock: typeof fetch = async (input, init) => {
  const response = await fetchWithTimeout(input, init);
  const withoutTime = (key: string, value: unknown) => (key === "expires_at" ? undefined : value);
  return Object.assign(response, { json: async () => JSON.parse(await response.text(), withoutTime) });
};

/**
 * Makes one call to the backend and loads the library for it. The result is undefined if the library or the answer did
 * not arrive in time. If a setting is missing, the promise rejects with a `SetupError`.
 */
export function callBackend<Value>(call: (client: BackendClient) => PromiseLike<Value>): Promise<Value | undefined> {
  return withTimeout(tryLoadClient().then((client) => (client ? call(client) : undefined)));
}

/** Does the same as `loadClient`, but returns undefined if the download of the library failed (a TypeError). */
export async function tryLoadClient(): Promise<BackendClient | undefined> {
  try {
    const loaded = await loadClient();
    if (isLost) window.dispatchEvent(new Event("library-found"));
    isLost = false;
    return loaded;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Firefox does not load it again before a reload: a page for members offers one (hydrate-after-paint.ts).
    window.dispatchEvent(new Event("library-lost"));
    isLost = true;
    return undefined;
  }
}

/** Whether the library could not be loaded when it was last needed. */
let isLost = false;

/** Returns the address of an endpoint that the library has no call for. */
export function backendAddress(path: string): string {
  return `${backendUrl().replace(/\/$/, "")}${path}`;
}

/**
 * The key under which the library stores the session in `localStorage`. This default of the library contains the first
 * label of the host name.
 */
export function storageKey(): string | undefined {
  const url = backendUrl();
  return URL.canParse(url) ? `sb-${new URL(url).hostname.split(".")[0]}-auth-token` : undefined;
}

/** What the library says where a setting is missing, for the call that is made without it. */
export function setupProblem(): string | undefined {
  if (!backendUrl()) return "supabaseUrl is required.";
  return publicKey() ? undefined : "supabaseKey is required.";
}

export function publicKey(): string {
  return import.meta.env.PUBLIC_SUPABASE_ANON_KEY ?? "";
}

/** A backend at another origin is a hosted project: it has no recovery codes and no deliveries. */
export function isHosted(): boolean {
  return backendUrl() !== window.location.origin;
}

/** Without the setting PUBLIC_SUPABASE_URL the backend is the server that sent this page. */
function backendUrl(): string {
  return import.meta.env.PUBLIC_SUPABASE_URL ?? window.location.origin;
}
