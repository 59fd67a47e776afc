import { linkWords } from "#content/auth";
import type { AfterSecondFactor, MailedLink } from "../../supabase/mailed-link";
import type { Factor } from "../../supabase/second-factor";

export type Mode = "login" | "signup";

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
  | SecondFactorStep
  /** Asks for a new password, after a mail has opened the session. `error` says why an earlier one was refused. */
  | { at: "password"; error: string };

/** Asks for a code of the second factor, or for a recovery code in its place. */
export interface SecondFactorStep {
  at: "second-factor";
  by: "app" | "recovery";
  leadsTo: AfterSecondFactor;
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
 * Returns the step that this history entry stores: the step of a mailed link, which capture-mailed-link.ts has moved
 * there, or the step before a reload.
 */
export function findStoredStep(): Step | undefined {
  const stored: StoredState = window.history.state ?? {};
  if (stored.link) return stepOfLink(stored.link);
  if (stored.secondFactor)
    return { at: "second-factor", by: "app", leadsTo: stored.secondFactor, factors: [], isFresh: false };
  return stored.choosesPassword ? { at: "password", error: "" } : stored.step;
}

interface StoredState {
  link?: MailedLink;
  choosesPassword?: boolean;
  secondFactor?: AfterSecondFactor;
  step?: Step;
  /** See return-address.ts. */
  back?: string | null;
}

/**
 * Stores a step for which the person needs a mail or an app: a phone can reload the page after a visit to another
 * program. A typed password is not stored.
 */
export function storeStep(step: Next) {
  window.history.replaceState({ ...storedStateOf(step), back: window.history.state?.back }, "");
}

function storedStateOf(step: Next): StoredState {
  if (step.at === "second-factor") return { step: { ...step, isFresh: false, password: undefined } };
  return step.at === "code" || step.at === "password" ? { step } : {};
}

/** Returns the redirect target after a confirmation. It is always on this site, which prevents an open redirect. */
export function addressAfter(redirectTo: string | null): string {
  const home = new URL("/", window.location.origin);
  const target = redirectTo !== null && URL.canParse(redirectTo) ? new URL(redirectTo) : home;
  // The result includes the origin: a path alone that begins with two slashes would name another host.
  return target.origin === home.origin ? target.origin + target.pathname + target.search : home.pathname;
}

function stepOfLink({ tokenHash, type, redirectTo }: MailedLink): Step {
  const known = linkTypes.find((each) => each.type === type);
  if (known && tokenHash) return { at: "link", link: { ...known, tokenHash, redirectTo } };
  return { at: "mail", about: "recovery", email: "", error: linkWords.expired.recovery };
}

const linkTypes = [
  { type: "signup", about: "signup" },
  { type: "email", about: "signup" },
  { type: "recovery", about: "recovery" },
  { type: "invite", about: "invite" },
  { type: "email_change", about: "emailChange" },
] as const;
