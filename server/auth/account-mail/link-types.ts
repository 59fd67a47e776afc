import type { Purpose } from "../tokens/one-time-tokens.ts";

/** What a link says of itself. */
export type LinkType = "signup" | "recovery" | "invite";

export const typeOf: Record<Purpose, LinkType> = { confirmation: "signup", recovery: "recovery", invite: "invite" };

/** What the client says that it brings. "email" is its word for a confirmation, whatever the mail (section 2.8). */
const purposes = new Map<string, Purpose>([
  ["signup", "confirmation"],
  ["email", "confirmation"],
  ["recovery", "recovery"],
  ["invite", "invite"],
]);

/** Undefined for what no mail of ours brings, such as a magic link. */
export function purposeOf(type: string): Purpose | undefined {
  return purposes.get(type);
}
