/** The fragment of a mailed link. It holds the token, because a browser sends the fragment to no server or log. */
export interface MailedLink {
  tokenHash: string;
  /** "signup", "email", "recovery", "invite" or "email_change". In an altered link it can be any text. */
  type: string;
  redirectTo: string | null;
}

/**
 * The fragment of `/auth` that opens the form for a new password. A person who followed a mailed link to the API is
 * signed in already, so the landing page redirects to this form.
 */
export const passwordFragment = "#new-password";

/** What follows the step of the second factor: a message on the landing page, a new password, or the way back. */
export type AfterSecondFactor = "logged-in" | "confirmed" | "new-password" | "email-changed" | "back";

/** The fragment of `/auth` that opens the step of the second factor for the session that is stored already. */
export function secondFactorFragment(then: AfterSecondFactor): string {
  return `#second-factor=${then}`;
}
