import type { SupabaseClient } from "@supabase/supabase-js";

let client: Promise<SupabaseClient> | undefined;

/**
 * The one Supabase client of a page, loaded at the first call: it weighs more than the page it serves. Rejects with
 * the client's own words when a setting is missing ("supabaseUrl is required.").
 */
export function loadClient(): Promise<SupabaseClient> {
  client ??= import("@supabase/supabase-js").then(({ createClient }) => createClient(backendUrl(), publicKey()));
  // A load that failed (the network was away) must not decide for the next try.
  client.catch(() => {
    client = undefined;
  });
  return client;
}

/**
 * As `loadClient`, but nothing where the library did not arrive: it is a file like any other and the network may be
 * away. A missing setting is no such failure and still rejects.
 */
export function reachClient(): Promise<SupabaseClient | undefined> {
  return loadClient().catch((error: unknown) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

/** For what our server answers and the library has no call for. */
export function ownAddress(path: string): string {
  return `${backendUrl().replace(/\/$/, "")}${path}`;
}

export function publicKey(): string {
  return import.meta.env.PUBLIC_SUPABASE_ANON_KEY ?? "";
}

/** Without a setting our own server answers, at whatever address this page was opened. */
function backendUrl(): string {
  return import.meta.env.PUBLIC_SUPABASE_URL ?? window.location.origin;
}
