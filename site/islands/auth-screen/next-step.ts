import type { Session } from "@supabase/auth-js";
import { codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { type MailType, savePassword, sendRecovery, verifyMail } from "../../supabase/mail-codes";
import type { Failure, Result } from "../../supabase/result";
import { lacksPassword, resendConfirmation, signIn, signUp } from "../../supabase/session";
import { forgetOwnSignUp, isOwnSignUp, rememberOwnSignUp } from "./own-sign-up";
import { endWithPassword, secondFactorStepFor } from "./second-factor-step";
import { endLogin, endWith, messageFor, type StepResult } from "./step-results";
import { addressAfter, type Mode, type Next, type UsableLink } from "./step-types";

export function authenticate(mode: Mode, email: string, password: string): Promise<Next> {
  return mode === "login" ? logIn(email, password) : register(email, password);
}

async function logIn(email: string, password: string): Promise<Next> {
  const result = await signIn(email, password);
  if (!result.ok) {
    const error = result.message ?? authMessages.notLoggedIn;
    const unconfirmed = isUnconfirmed(result);
    // The server says so only after the right password: the person knows the password of the sign-up.
    if (unconfirmed) await rememberOwnSignUp(email);
    return { at: "form", mode: "login", email, error, unconfirmed };
  }
  return secondFactorStepFor(result.value, "logged-in") ?? endLogin("this tab");
}

async function register(email: string, password: string): Promise<Next> {
  const result = await signUp(email, password);
  if (!result.ok) return { at: "form", mode: "signup", email, error: result.message ?? authMessages.notSignedUp };
  if (result.value) return { at: "end", address: "/" };
  await rememberOwnSignUp(email);
  return { at: "code", about: "signup", email, notice: authMessages.signedUp, asksPassword: false };
}

/**
 * Compares the message as well as the code: the library reads the code only if the answer has a version header, and a
 * proxy can remove that header.
 */
function isUnconfirmed({ code, message }: Failure): boolean {
  return code === "email_not_confirmed" || message === "Email not confirmed";
}

/** Uses a link up. `password` is the one that the page of the link has asked for, if it did. */
export async function followLink(link: UsableLink, password: string | undefined): Promise<StepResult> {
  const { about, tokenHash, type, redirectTo } = link;
  const result = await verifyMail({ token_hash: tokenHash }, type, password !== undefined);
  if (about === "emailChange") return afterEmailChange(link, result);
  if (result.ok)
    return {
      next: await afterMail(result.value, {
        isSignUp: about === "signup",
        address: addressAfter(redirectTo),
        password,
      }),
    };
  if (result.code !== "otp_expired") return { error: messageFor(result) };
  // A recovery mail also serves in place of an expired invitation: it confirms the address and leads to the choice of a
  // password.
  const mail = about === "signup" ? "signup" : "recovery";
  return { next: { at: "mail", about: mail, email: "", error: linkWords.expired[about] } };
}

/** The first of the two links of a change of the address opens no session: the other one has to be followed too. */
function afterEmailChange(link: UsableLink, result: Result<Session | null>): StepResult {
  if (result.ok && !result.value) return { next: { at: "link", link, notice: linkWords.emailChange.other } };
  if (result.ok)
    return {
      next:
        secondFactorStepFor(result.value, "email-changed") ??
        endWith("email-changed", { address: addressAfter(link.redirectTo) }),
    };
  return { error: result.code === "otp_expired" ? linkWords.expired.emailChange : messageFor(result) };
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

/** Uses a typed code up. `password` is the one that the form has asked for, if it did. */
export async function submitCode(
  about: keyof typeof typesOf,
  email: string,
  code: string,
  password: string | undefined,
): Promise<StepResult> {
  // The codes of our server have six digits, those of a hosted Supabase project up to ten.
  if (!/^\d{6,10}$/.test(code)) return { error: codeWords.malformed };

  for (const type of typesOf[about]) {
    const result = await verifyMail({ email, token: code }, type, password !== undefined);
    if (!result.ok && result.code !== "otp_expired") return { error: messageFor(result) };
    if (!result.ok) continue;
    const isSignUp = type === "email" && !result.value?.user.invited_at;
    return { next: await afterMail(result.value, { isSignUp, password }) };
  }
  return { error: codeWords.wrong, isWrongCode: true };
}

/** Requests a mail. The notice at the next step does not tell whether the address has an account. */
export async function requestMail(about: "signup" | "recovery", email: string): Promise<StepResult> {
  const result = await (about === "signup" ? resendConfirmation(email) : sendRecovery(email));
  if (!result.ok) return { error: messageFor(result, mailWords.notSent) };
  const asksPassword = about === "signup" && !(await isOwnSignUp(email));
  return { next: { at: "code", about, email, notice: mailWords.sent[about], asksPassword } };
}

export async function choosePassword(password: string, codesLeft: number | undefined): Promise<StepResult> {
  const result = await savePassword(password);
  if (result.ok) return { next: endWith("new-password", { codesLeft }) };
  if (result.code === "session_missing")
    return { next: { at: "mail", about: "recovery", email: "", error: passwordWords.tooLate } };
  // The second factor was set up on another device meanwhile.
  if (result.code === "insufficient_aal")
    return { next: { at: "second-factor", by: "app", leadsTo: "new-password", factors: [], isFresh: false, password } };
  // If the session was not opened by a mail, the server needs the current password. The account page asks for it.
  if (result.code === "current_password_required") return { next: { at: "end", address: "/account" } };
  return { error: messageFor(result, passwordWords.failed) };
}

/**
 * The step after a mail has opened the session. A confirmation ends the way to the account if the sign-up began in this
 * browser, or if `password`, which was asked for before, is saved now. Everything else leads to the choice of a
 * password.
 */
async function afterMail(
  session: Session | null,
  { isSignUp, address, password }: { isSignUp: boolean; address?: string | undefined; password: string | undefined },
): Promise<Next> {
  const isOwn = await isOwnSignUp(session?.user.email ?? "");
  if (isOwn) forgetOwnSignUp();
  const isDone = password === undefined && isSignUp && isOwn && !lacksPassword(session);
  const secondFactor = secondFactorStepFor(session, isDone ? "confirmed" : "new-password", password);
  if (secondFactor) return secondFactor;
  if (password === undefined) return isDone ? endWith("confirmed", { address }) : { at: "password", error: "" };
  return endWithPassword(password, isSignUp ? "confirmed" : "new-password", { address });
}
