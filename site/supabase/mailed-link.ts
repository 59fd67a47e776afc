/** What the address of a link in a mail carries behind its `#`, where no server, scanner or log sees it. */
export interface MailedLink {
  tokenHash: string;
  /** The protocol's word for it: "signup", "email", "recovery" or "invite"; another if somebody has changed it. */
  type: string;
  redirectTo: string | null;
}

export function readMailedLink(fragment: string): MailedLink | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const tokenHash = fields.get("token_hash");
  return tokenHash === null
    ? undefined
    : { tokenHash, type: fields.get("type") ?? "", redirectTo: fields.get("redirect_to") };
}

/** Where an old-style link, which has signed in already, hands over to the choice of a password. */
export const passwordFragment = "#new-password";
