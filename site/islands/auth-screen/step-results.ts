import { linkWords, refusalWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { landingAfterLogin, takeIntent } from "../../supabase/navigation-intents";
import type { Failure } from "../../supabase/result";
import { readTokens } from "../../supabase/sign-out";
import type { Next, Outcome } from "./step-types";

/** The next step, or the error that keeps the person at this step. */
export type StepResult = { next: Next } | { error: string; isWrongCode?: boolean };

const messages: Record<Outcome, string> = {
  "logged-in": authMessages.loggedIn,
  confirmed: outcomeWords.confirmed,
  "new-password": outcomeWords.newPassword,
  "email-changed": outcomeWords.emailChanged,
};

interface Ending {
  /** Where the link of a mail leads, if not to the landing page. */
  address?: string | undefined;
  /** How many recovery codes are left after one was used. */
  codesLeft?: number | undefined;
}

/**
 * Says the outcome, and leads on from there. A new password leads back at once like a login, also from the tab of a mailed
 * link, unless there is something to say about recovery codes.
 */
export function endWith(outcome: Outcome, { address, codesLeft }: Ending = {}): Next {
  const back = takeIntent("any tab");
  if (back && outcome === "new-password" && codesLeft === undefined) return { at: "end", address: back };
  const account = readTokens()?.user?.id;
  return { at: "outcome", tone: "success", message: messages[outcome], account, codesLeft, back, address };
}

/** After a login: the page that led to it, else the landing page (docs/specification.md#way-back-after-a-login). */
export function endLogin(from: "this tab" | "any tab"): Next {
  return { at: "end", address: takeIntent(from) ?? landingAfterLogin() };
}

/** Returns our own text for a known error code, else the server's message. */
export function messageFor({ code, message }: Failure, fallback: string = linkWords.failed): string {
  return refusalWords(code, message) ?? message ?? fallback;
}
