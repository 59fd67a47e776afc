import type { LinkType } from "./link-types.ts";

interface MailedLink {
  siteUrl: string;
  token: string;
  type: LinkType;
  /** Where the person should end: a page that `readRedirectTarget` allowed. */
  redirectTo: string;
}

/** To a page of ours whose button spends the token. What stands in a fragment reaches no server, no scanner and no log. */
export function pageLink({ siteUrl, token, type, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type });
  if (redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}

/** To the protocol's own address (section 2.7), where opening it spends the token. */
export function apiLink({ siteUrl, token, type, redirectTo }: MailedLink): string {
  return `${siteUrl}/auth/v1/verify?${new URLSearchParams({ token, type, redirect_to: redirectTo })}`;
}

/** What the mails carry. */
export const mailedLink = apiLink;
