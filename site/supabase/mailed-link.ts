/** The fragment of a mailed link. It holds the token, because a browser sends the fragment to no server or log. */
export interface MailedLink {
  tokenHash: string;
  /** "signup", "email", "recovery" or "invite". In an altered link it can be any text. */
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

/**
 * The fragment of `/auth` that opens the form for a new password. A person who followed a mailed link to the API is
 * signed in already, so the landing page redirects to this form.
 */
export const passwordFragment = "#new-password";
