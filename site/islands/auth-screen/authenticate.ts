import { authMessages } from "#content/messages";
import { storeFlashMessage } from "../../flash-message/flash-storage";
import { type Failure, signIn, signUp } from "../../supabase/session";
import type { Mode, Next } from "./steps";

/** Sends what was typed in this mode; the answer is what comes next. */
export function authenticate(mode: Mode, email: string, password: string): Promise<Next> {
  return mode === "login" ? logIn(email, password) : register(email, password);
}

async function logIn(email: string, password: string): Promise<Next> {
  const answer = await signIn(email, password);
  if (!answer.ok) {
    const error = answer.message ?? authMessages.notLoggedIn;
    return { at: "form", mode: "login", email, error, unconfirmed: isUnconfirmed(answer) };
  }
  storeFlashMessage("logged-in");
  return { at: "end", address: "/" };
}

async function register(email: string, password: string): Promise<Next> {
  const answer = await signUp(email, password);
  if (!answer.ok) return { at: "form", mode: "signup", email, error: answer.message ?? authMessages.notSignedUp };
  if (answer.value) return { at: "end", address: "/" };
  return { at: "code", about: "signup", email, notice: authMessages.signedUp };
}

/** By its words where a proxy hides the header that lets the client read the code. */
function isUnconfirmed({ code, message }: Failure): boolean {
  return code === "email_not_confirmed" || message === "Email not confirmed";
}
