import type { SupabaseClient } from "@supabase/supabase-js";
import { fetchWithTimeout, withTimeout } from "./timeout";

/** A client cannot be made, because a setting is missing: the client's own words ("supabaseUrl is required."). */
export class SetupError extends Error {}

let client: Promise<SupabaseClient> | undefined;

/** The one Supabase client of a page, loaded at the first call: it weighs more than the page it serves. */
export function loadClient(): Promise<SupabaseClient> {
  client ??= import("@supabase/supabase-js").then(({ createClient }) => {
    try {
      return createClient(backendUrl(), publicKey(), { global: { fetch: fetchWithTimeout } });
    } catch (error) {
      throw new SetupError((error as Error).message);
    }
  });
  // A load that failed (the network was away) must not decide for the next try.
  client.catch(() => {
    client = undefined;
  });
  return client;
}

/**
 * One call to the backend, from loading the library to the last answer it needs; undefined where the library or an
 * answer did not arrive in time. A missing setting is no such failure and rejects with a `SetupError`.
 */
export function callBackend<Value>(call: (client: SupabaseClient) => PromiseLike<Value>): Promise<Value | undefined> {
  return withTimeout(reachClient().then((client) => client && call(client)));
}

/** As `loadClient`, but nothing where the library did not arrive: it is a file like any other. */
export function reachClient(): Promise<SupabaseClient | undefined> {
  return loadClient().catch((error: unknown) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

/** For what the library has no call for. */
export function backendAddress(path: string): string {
  return `${backendUrl().replace(/\/$/, "")}${path}`;
}

/** Where the client keeps its session in the browser's storage: its own rule, by the first label of the host. */
export function storageKey(): string | undefined {
  const url = backendUrl();
  return URL.canParse(url) ? `sb-${new URL(url).hostname.split(".")[0]}-auth-token` : undefined;
}

export function publicKey(): string {
  return import.meta.env.PUBLIC_SUPABASE_ANON_KEY ?? "";
}

/** Without a setting our own server answers, at whatever address this page was opened. */
function backendUrl(): string {
  return import.meta.env.PUBLIC_SUPABASE_URL ?? window.location.origin;
}
