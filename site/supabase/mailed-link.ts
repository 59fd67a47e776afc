/** The fragment of a mailed link. It holds the token, because a browser sends the fragment to no server or log. */
export interface MailedLink {
  tokenHash: string;
  /** "signup", "email", "recovery", "invite" or "email_change". In an altered link it can be any text. */
  type: string;
  redirectTo: string | null;
}

function readMailedLink(fields: URLSearchParams): MailedLink | undefined {
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

/** What follows the step of the second factor: a message on the landing page, a new password, or the way back. */
export type AfterSecondFactor = (typeof afterSecondFactor)[number];

const afterSecondFactor = ["logged-in", "confirmed", "new-password", "email-changed", "back"] as const;

/** The fragment of `/auth` that opens the step of the second factor for the session that is stored already. */
export function secondFactorFragment(then: AfterSecondFactor): string {
  return `#second-factor=${then}`;
}

/**
 * Moves what the fragment says from the address to the state of this history entry: the token of a mailed link, before
 * another script can read it there, or the page that return-address.ts leads back to. The state survives a reload, and
 * phones reload a page after a visit to another program. This function sends nothing, so it does not use a token up.
 * Returns false if the fragment says nothing.
 */
export function captureLink(): boolean {
  const { pathname, search, hash } = window.location;
  const fields = new URLSearchParams(hash.slice(1));
  const link = readMailedLink(fields);
  const choosesPassword = hash === passwordFragment;
  const secondFactor = afterSecondFactor.find((then) => then === fields.get("second-factor"));
  const back = fields.get("back");
  if (!link && !choosesPassword && !secondFactor && !back) return false;
  window.history.replaceState(link ? { link } : { choosesPassword, secondFactor, back }, "", pathname + search);
  return true;
}
