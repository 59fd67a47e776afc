import { handOverWords } from "#content/hand-over";
import type { StoredContact } from "../../supabase/read-contacts";
import { localDate } from "./view";

/** Everything about an address, as JSON that a person can read too (docs/specification.md#everything-about-an-address). */
export function handOverText(email: string, contacts: readonly StoredContact[], now: Date): string {
  const { about, elsewhere } = handOverWords;
  const file = { about: about(email), not_in_this_file: elsewhere(email), written_at: now.toISOString(), contacts };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** An address may have characters that no file name can have. */
export function handOverName(email: string, now: Date): string {
  return handOverWords.filename(email.replace(/[^\w.@+-]/g, "_"), localDate(now.toISOString()));
}
