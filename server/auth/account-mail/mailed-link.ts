import type { LinkType } from "./link-types.ts";

interface MailedLink {
  siteUrl: string;
  token: string;
  type: LinkType;
  /** Where the person should end: a page that `readRedirectTarget` allowed. */
  redirectTo: string;
}

/**
 * What the mails carry: a page of ours whose button spends the token. Behind the protocol's own address (section 2.7),
 * which still answers, the first program to look into the mail would spend it; and what stands in a fragment reaches no
 * server and no log.
 */
export function mailedLink({ siteUrl, token, type, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type });
  if (redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}
