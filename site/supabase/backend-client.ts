import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";

interface Settings {
  url: string;
  publicKey: string;
  storageKey: string;
  fetch: typeof fetch;
}

export type BackendClient = ReturnType<typeof createBackendClient>;

/**
 * The parts of the Supabase client that this site uses, put together as `createClient` of `@supabase/supabase-js` does it.
 * Its other parts, for files, functions and live queries, are half of its size.
 */
export function createBackendClient({ url, publicKey, storageKey, fetch }: Settings) {
  const key = { apikey: publicKey, Authorization: `Bearer ${publicKey}` };
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: key,
    storageKey,
    fetch,
    // Otherwise tokens in the address of any page would replace the stored session without a question.
    detectSessionInUrl: false,
    // The library's calls for recovery codes are behind a switch (docs/protocol.md#second-factor).
    experimental: { recoveryCodes: true },
  });
  const fetchAsCaller: typeof fetch = async (input, init) => {
    const { data } = await auth.getSession();
    const headers = new Headers(init?.headers);
    if (data.session) headers.set("Authorization", `Bearer ${data.session.access_token}`);
    return fetch(input, { ...init, headers });
  };
  return Object.assign(new PostgrestClient(`${url}/rest/v1`, { headers: key, fetch: fetchAsCaller }), { auth });
}
