import { authMessages } from "#content/messages";
import { rememberLogin } from "../../backend/fresh-login";
import { type Failure, signIn, signUp } from "../../backend/session";

export type Mode = "login" | "signup";

/** What the screen shows; every end a person can meet is one of these. `email` is what was typed last. */
export type Step =
  | { at: "form"; mode: Mode; email: string; error: string; unconfirmed?: boolean }
  /** Signed up; the confirmation went to `email`. */
  | { at: "mail-sent"; mode: "signup"; email: string }
  /** There is a session: the landing page comes next. */
  | { at: "leaving"; mode: Mode; email: string };

/** Sends what was typed in this mode; the answer is the next step. */
export function enter(mode: Mode, email: string, password: string): Promise<Step> {
  return mode === "login" ? logIn(email, password) : register(email, password);
}

async function logIn(email: string, password: string): Promise<Step> {
  const mode = "login";
  const answer = await signIn(email, password);
  if (!answer.ok) {
    const error = answer.message ?? authMessages.notLoggedIn;
    return { at: "form", mode, email, error, unconfirmed: isUnconfirmed(answer) };
  }
  rememberLogin();
  return { at: "leaving", mode, email };
}

async function register(email: string, password: string): Promise<Step> {
  const mode = "signup";
  const answer = await signUp(email, password);
  if (!answer.ok) return { at: "form", mode, email, error: answer.message ?? authMessages.notSignedUp };
  return { at: answer.value ? "leaving" : "mail-sent", mode, email };
}

/** By its words where a proxy hides the header that lets the client read the code. */
function isUnconfirmed({ code, message }: Failure): boolean {
  return code === "email_not_confirmed" || message === "Email not confirmed";
}
