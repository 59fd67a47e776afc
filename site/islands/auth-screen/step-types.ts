import { linkWords } from "#content/auth";
import { outcomeWords } from "#content/outcomes";
import type { Factor } from "../../supabase/second-factor";
import { readTokens } from "../../supabase/sign-out";

export type Mode = "login" | "signup";

/** How the way to an account has ended. */
export type Outcome = "logged-in" | "confirmed" | "new-password" | "email-changed";

/** A mailed link of a known type. */
export interface UsableLink {
  about: "signup" | "recovery" | "invite" | "emailChange";
  tokenHash: string;
  type: "signup" | "email" | "recovery" | "invite" | "email_change";
  redirectTo: string | null;
}

/** What the screen shows. `email` is the address that was typed last. */
export type Step =
  | { at: "form"; mode: Mode; email: string; error: string; unconfirmed?: boolean }
  /** Asks for the address of a mail; `error` says why a mail is needed. */
  | { at: "mail"; about: "signup" | "recovery"; email: string; error: string }
  /**
   * Asks for the code of a mail to `email`. If `about` is "any", the type of the mail is unknown, and the form asks for
   * the address too. With `asksPassword` the form asks for a new password as well, see `own-sign-up.ts`.
   */
  | { at: "code"; about: "signup" | "recovery" | "any"; email: string; notice: string; asksPassword: boolean }
  /** `notice` says that the link is used and what is to be done elsewhere. */
  | { at: "link"; link: UsableLink; notice?: string }
  | ({ at: "session-link" } & SessionLink)
  | SecondFactorStep
  /** Asks for a new password, after a mail has opened the session. `error` says why an earlier one was refused. */
  | { at: "password"; error: string; codesLeft?: number | undefined }
  | OutcomeStep;

/** The session with which a link of the API comes back (docs/protocol.md#links-at-the-api). */
export interface SessionLink {
  accessToken: string;
  refreshToken: string;
  /** That of the link, or any text. */
  type: string | null;
}

/** Says how it has ended. */
interface OutcomeStep {
  at: "outcome";
  tone: "success" | "error";
  message: string;
  /** The account that is logged in, if the message says so. */
  account?: string | undefined;
  /** How many recovery codes are left after one was used. */
  codesLeft?: number | undefined;
  /** The page that led to the login. */
  back?: string | undefined;
  /** Where the link of the mail leads, if not to the landing page. */
  address?: string | undefined;
}

/** Asks for a code of the second factor, or for a recovery code in its place. */
export interface SecondFactorStep {
  at: "second-factor";
  by: "app" | "recovery";
  /** What follows: the outcome, the choice of a password, or the way back. */
  leadsTo: Outcome | "back";
  /** The account's apps. Empty while they are not known. */
  factors: readonly Pick<Factor, "id" | "name">[];
  /** False if the session was stored before this page: what it says about the factors may be out of date. */
  isFresh: boolean;
  /** A new password that was typed before. It is only in memory: after a reload it is asked for again. */
  password?: string | undefined;
}

/** The result of an action: another step, or a redirect to `address`. */
export type Next = Step | { at: "end"; address: string };

export interface StepProps<At extends Step["at"]> {
  step: Extract<Step, { at: At }>;
  /** Whether the redirect of `at: "end"` has begun. */
  redirecting: boolean;
  go: (next: Next) => void;
}

export const start: Step = { at: "form", mode: "login", email: "", error: "" };

/**
 * Returns the step that this history entry stores: that of a link, whose fragment take-mailed-link.ts has moved there, or
 * the step before a reload. An outcome that says that an account is logged in counts only while that is so.
 */
export function findStoredStep(): Step | undefined {
  const { link, step }: StoredState = window.history.state ?? {};
  if (link !== undefined) return stepOfLink(new URLSearchParams(link.slice(1)));
  const isOver = step?.at === "outcome" && step.account !== undefined && step.account !== readTokens()?.user?.id;
  return isOver ? undefined : step;
}

interface StoredState {
  link?: string;
  step?: Step;
}

/**
 * Stores an outcome, and a step for which the person needs a mail or an app: a phone can reload the page after a visit to
 * another program. A typed password is not stored, nor the way back, which ends with a logout in any tab.
 */
export function storeStep(step: Next) {
  window.history.replaceState(storedStateOf(step), "");
}

function storedStateOf(step: Next): StoredState | null {
  if (step.at === "second-factor") return { step: { ...step, isFresh: false, password: undefined } };
  if (step.at === "outcome") return { step: { ...step, back: undefined } };
  return step.at === "code" || step.at === "password" ? { step } : null;
}

/**
 * Returns where a confirmation leads, if not to the landing page. It is always on this site, which prevents an open
 * redirect.
 */
export function addressAfter(redirectTo: string | null): string | undefined {
  const { origin } = window.location;
  const target = redirectTo !== null && URL.canParse(redirectTo) ? new URL(redirectTo) : undefined;
  const path = target?.origin === origin ? target.pathname + target.search : "/";
  // With the origin: a path alone that begins with two slashes would name another host.
  return path === "/" ? undefined : origin + path;
}

/** Anyone can write a link with any text, so of an error or a message only its kind counts. */
function stepOfLink(fields: URLSearchParams): Step | undefined {
  const tokenHash = fields.get("token_hash");
  if (tokenHash !== null) return stepOfMailedLink(tokenHash, fields);
  const [accessToken, refreshToken] = [fields.get("access_token"), fields.get("refresh_token")];
  if (accessToken)
    return { at: "session-link", accessToken, refreshToken: refreshToken ?? "", type: fields.get("type") };
  const code = fields.get("error_code");
  if (code === "otp_expired") return { at: "mail", about: "signup", email: "", error: linkWords.expired.signup };
  if (code === "user_banned") return { at: "outcome", tone: "error", message: linkWords.refusals.user_banned ?? "" };
  if (fields.has("error")) return { at: "outcome", tone: "error", message: outcomeWords.refused };
  if (fields.has("message")) return { at: "outcome", tone: "success", message: linkWords.emailChange.other };
  return { at: "second-factor", by: "app", leadsTo: "back", factors: [], isFresh: false };
}

function stepOfMailedLink(tokenHash: string, fields: URLSearchParams): Step {
  const known = linkTypes.find(({ type }) => type === fields.get("type"));
  if (known && tokenHash) return { at: "link", link: { ...known, tokenHash, redirectTo: fields.get("redirect_to") } };
  return { at: "mail", about: "recovery", email: "", error: linkWords.expired.recovery };
}

const linkTypes = [
  { type: "signup", about: "signup" },
  { type: "email", about: "signup" },
  { type: "recovery", about: "recovery" },
  { type: "invite", about: "invite" },
  { type: "email_change", about: "emailChange" },
] as const;
