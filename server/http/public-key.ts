import { Refusal } from "./refusal.ts";

/** Refuses a request without the public key, like Supabase's gateway without a code (docs/protocol.md#public-key). */
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
