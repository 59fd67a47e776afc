import type { SupabaseClient } from "@supabase/supabase-js";
import { fetchWithTimeout, withTimeout } from "./timeout";

/** A setting is missing. The message is the client library's, as in "supabaseUrl is required." */
export class SetupError extends Error {}

let client: Promise<SupabaseClient> | undefined;

/** The only Supabase client of a page, loaded at the first call: the library is larger than the page. */
export function loadClient(): Promise<SupabaseClient> {
  client ??= import("@supabase/supabase-js").then(({ createClient }) => {
    try {
      return createClient(backendUrl(), publicKey(), { global: { fetch: fetchWithTimeout } });
    } catch (error) {
      throw new SetupError((error as Error).message);
    }
  });
  // A failed download must not fail the next attempt.
  client.catch(() => {
    client = undefined;
  });
  return client;
}

/**
 * One call to the backend, including the loading of the library; undefined where the library or an answer did not
 * arrive in time. A missing setting rejects with a `SetupError`.
 */
export function callBackend<Value>(call: (client: SupabaseClient) => PromiseLike<Value>): Promise<Value | undefined> {
  return withTimeout(tryLoadClient().then((client) => client && call(client)));
}

/** As `loadClient`, but undefined where the download of the library failed (a TypeError). */
export function tryLoadClient(): Promise<SupabaseClient | undefined> {
  return loadClient().catch((error: unknown) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

/** For endpoints that the library has no call for. */
export function backendAddress(path: string): string {
  return `${backendUrl().replace(/\/$/, "")}${path}`;
}

/** The key of the stored session: the library's default, from the first label of the host name. */
export function storageKey(): string | undefined {
  const url = backendUrl();
  return URL.canParse(url) ? `sb-${new URL(url).hostname.split(".")[0]}-auth-token` : undefined;
}

export function publicKey(): string {
  return import.meta.env.PUBLIC_SUPABASE_ANON_KEY ?? "";
}

/** Without a setting the backend is the server that sent this page. */
function backendUrl(): string {
  return import.meta.env.PUBLIC_SUPABASE_URL ?? window.location.origin;
}
