import { codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { storeFlashMessage } from "../../flash-message/flash-storage";
import { type MailType, savePassword, sendRecovery, verifyCode, verifyLink } from "../../supabase/mail-codes";
import type { Failure } from "../../supabase/result";
import { resendConfirmation, signIn, signUp } from "../../supabase/session";
import { addressAfter, type Mode, type Next, type UsableLink } from "./step-types";

/** The next step, or the error that keeps the person at this step. */
export type StepResult = { next: Next } | { error: string; isWrongCode?: boolean };

export function authenticate(mode: Mode, email: string, password: string): Promise<Next> {
  return mode === "login" ? logIn(email, password) : register(email, password);
}

async function logIn(email: string, password: string): Promise<Next> {
  const result = await signIn(email, password);
  if (!result.ok) {
    const error = result.message ?? authMessages.notLoggedIn;
    return { at: "form", mode: "login", email, error, unconfirmed: isUnconfirmed(result) };
  }
  storeFlashMessage("logged-in");
  return { at: "end", address: "/" };
}

async function register(email: string, password: string): Promise<Next> {
  const result = await signUp(email, password);
  if (!result.ok) return { at: "form", mode: "signup", email, error: result.message ?? authMessages.notSignedUp };
  if (result.value) return { at: "end", address: "/" };
  return { at: "code", about: "signup", email, notice: authMessages.signedUp };
}

/**
 * Compares the message as well as the code: the library reads the code only if the answer has a version header, and a
 * proxy can remove that header.
 */
function isUnconfirmed({ code, message }: Failure): boolean {
  return code === "email_not_confirmed" || message === "Email not confirmed";
}

export async function followLink({ about, tokenHash, type, redirectTo }: UsableLink): Promise<StepResult> {
  const result = await verifyLink(tokenHash, type);
  if (result.ok) return { next: about === "signup" ? confirmed(addressAfter(redirectTo)) : { at: "password" } };
  if (result.code !== "otp_expired") return { error: messageFor(result) };
  // A recovery mail also serves in place of an expired invitation: it confirms the address and leads to the choice of a
  // password.
  const mail = about === "signup" ? "signup" : "recovery";
  return { next: { at: "mail", about: mail, email: "", error: linkWords.expired[about] } };
}

/**
 * A request must name the type of a code, but a typed code does not show its type, so these types are tried in turn.
 * After a sign-up the code can be that of an invitation, because an invited address that signs up gets another
 * invitation. The server allows five attempts for each type, so an attempt with the wrong type does not count for the
 * right one.
 */
const typesOf: Record<"signup" | "recovery" | "any", readonly MailType[]> = {
  signup: ["email", "invite"],
  recovery: ["recovery"],
  any: ["recovery", "email", "invite"],
};

export async function submitCode(about: keyof typeof typesOf, email: string, typed: string): Promise<StepResult> {
  const code = typed.replace(/[\s-]/g, "");
  // The codes of our server have six digits, those of a hosted Supabase project up to ten.
  if (!/^\d{6,10}$/.test(code)) return { error: codeWords.malformed };

  for (const type of typesOf[about]) {
    const result = await verifyCode(email, code, type);
    if (!result.ok && result.code !== "otp_expired") return { error: messageFor(result) };
    if (!result.ok) continue;
    const isInvited = Boolean(result.value?.user.invited_at);
    return { next: type === "email" && !isInvited ? confirmed("/") : { at: "password" } };
  }
  return { error: codeWords.wrong, isWrongCode: true };
}

/** Requests a mail. The notice at the next step does not tell whether the address has an account. */
export async function requestMail(about: "signup" | "recovery", email: string): Promise<StepResult> {
  const result = await (about === "signup" ? resendConfirmation(email) : sendRecovery(email));
  if (!result.ok) return { error: messageFor(result, mailWords.notSent) };
  return { next: { at: "code", about, email, notice: mailWords.sent[about] } };
}

export async function choosePassword(password: string): Promise<StepResult> {
  const result = await savePassword(password);
  if (result.ok) {
    storeFlashMessage("new-password");
    return { next: { at: "end", address: "/" } };
  }
  if (result.code === "session_missing")
    return { next: { at: "mail", about: "recovery", email: "", error: passwordWords.tooLate } };
  // If the session was not opened by a mail, the server needs the current password. The account page asks for it.
  if (result.code === "current_password_required") return { next: { at: "end", address: "/account" } };
  return { error: messageFor(result, passwordWords.failed) };
}

function confirmed(address: string): Next {
  storeFlashMessage("confirmed");
  return { at: "end", address };
}

/** Returns our own text for a known error code, else the server's message. */
function messageFor({ code = "", message }: Failure, fallback: string = linkWords.failed): string {
  return linkWords.refusals[code] ?? message ?? fallback;
}
