/** The fragment of a mailed link. It holds the token, because a browser sends the fragment to no server or log. */
export interface MailedLink {
  tokenHash: string;
  /** "signup", "email", "recovery", "invite" or "email_change". In an altered link it can be any text. */
  type: string;
  redirectTo: string | null;
}

function readMailedLink(fragment: string): MailedLink | undefined {
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

/** What follows the step of the second factor: a message on the landing page, a new password, or the way back. */
export type AfterSecondFactor = (typeof afterSecondFactor)[number];

const afterSecondFactor = ["logged-in", "confirmed", "new-password", "email-changed", "back"] as const;

/** The fragment of `/auth` that opens the step of the second factor for the session that is stored already. */
export function secondFactorFragment(then: AfterSecondFactor): string {
  return `#second-factor=${then}`;
}

function readSecondFactor(fragment: string): AfterSecondFactor | undefined {
  return afterSecondFactor.find((then) => fragment === secondFactorFragment(then));
}

/**
 * Moves the token of a mailed link from the address to the state of this history entry, before another script can read
 * the token there. The state survives a reload, and phones reload a page after a visit to another program. This function
 * sends nothing, so it does not use the token up. Returns false if the address has no link.
 */
export function captureLink(): boolean {
  const link = readMailedLink(window.location.hash);
  const choosesPassword = window.location.hash === passwordFragment;
  const secondFactor = readSecondFactor(window.location.hash);
  if (!link && !choosesPassword && !secondFactor) return false;
  const { pathname, search } = window.location;
  window.history.replaceState(link ? { link } : { choosesPassword, secondFactor }, "", pathname + search);
  return true;
}
