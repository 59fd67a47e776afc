import { emailChangePurposes, type Purpose } from "../tokens/one-time-tokens.ts";

/** The value of the parameter `type` in a mailed link. */
type LinkType = "signup" | "recovery" | "invite" | "email_change";

const linkTypes = {
  confirmation: "signup",
  recovery: "recovery",
  invite: "invite",
  email_change_current: "email_change",
  email_change_new: "email_change",
} as const satisfies Record<Purpose, LinkType>;

type Purposes = readonly [Purpose, ...Purpose[]];

/**
 * The purposes of the token for each `type` that a client sends; "email" also means a confirmation
 * (docs/protocol.md#link-types).
 */
const purposes = new Map<string, Purposes>([
  ["signup", ["confirmation"]],
  ["email", ["confirmation"]],
  ["recovery", ["recovery"]],
  ["invite", ["invite"]],
  ["email_change", emailChangePurposes],
]);

/** The purposes of tokens with this `type`; undefined for a type that this server never mails, such as a magic link. */
export function purposesOf(type: string): Purposes | undefined {
  return purposes.get(type);
}

interface MailedLink {
  siteUrl: string;
  token: string;
  purpose: Purpose;
  /** The page to open after the link was used. `readRedirectTarget` has allowed it. */
  redirectTo: string;
}

/**
 * Makes the link in a mail. The link opens a page of this site, and the token is used only when the person presses the
 * button there (docs/protocol.md#mailed-links). A link directly to the API would also work, but programs that scan
 * mails open every link and would use up the token. The token is in the fragment of the link. Browsers do not send the
 * fragment to a server, so the token appears in no log.
 */
export function mailedLink({ siteUrl, token, purpose, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type: linkTypes[purpose] });
  if (redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}
