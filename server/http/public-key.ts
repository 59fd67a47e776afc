import { Refusal } from "./refusal.ts";

/**
 * Refuses a request without the public key. The refusal has no error code, as from Supabase's gateway
 * (docs/protocol.md#public-key).
 */
export function requirePublicKey(apikey: string | string[] | undefined, publicKey: string) {
  if (!apikey) {
    throw new Refusal(401, "", "No API key found in request", {
      hint: "No `apikey` request header or url param was found.",
    });
  }
  if (apikey !== publicKey) {
    throw new Refusal(401, "", "Invalid API key", {
      hint: "Double check your Supabase `anon` or `service_role` API key.",
    });
  }
}
