/** The fragment of a mailed link. It stands behind the `#`, where no server, mail scanner or log sees it. */
export interface MailedLink {
  tokenHash: string;
  /** "signup", "email", "recovery" or "invite"; anything else in an altered link. */
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

/** Leads from an old-style link, which has signed in already, to the choice of a password. */
export const passwordFragment = "#new-password";
