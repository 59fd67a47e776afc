import type { Purpose } from "../tokens/one-time-tokens.ts";

/** The `type` that a mailed link carries. */
type LinkType = "signup" | "recovery" | "invite";

export const linkTypes: Record<Purpose, LinkType> = { confirmation: "signup", recovery: "recovery", invite: "invite" };

/** The `type` that a client sends; "email" also means a confirmation (docs/protocol.md#link-types). */
const purposes = new Map<string, Purpose>([
  ["signup", "confirmation"],
  ["email", "confirmation"],
  ["recovery", "recovery"],
  ["invite", "invite"],
]);

/** Undefined for a type that no mail of this server has, such as a magic link. */
export function purposeOf(type: string): Purpose | undefined {
  return purposes.get(type);
}

interface MailedLink {
  siteUrl: string;
  token: string;
  type: LinkType;
  /** Where the link should end: a page that `readRedirectTarget` allows. */
  redirectTo: string;
}

/**
 * The link in a mail: a page of this site whose button spends the token (docs/protocol.md#mailed-links). The API's own
 * address still works, but programs that scan mails would spend the token there. A fragment reaches no server and no log.
 */
export function mailedLink({ siteUrl, token, type, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type });
  if (redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}
