import { codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { storeFlashMessage } from "../../flash-message/flash-storage";
import { type MailType, savePassword, sendRecovery, spendCode, spendLink } from "../../supabase/mail-codes";
import { type Failure, sendConfirmationAgain } from "../../supabase/session";
import { addressAfter, type Next, type UsableLink } from "./steps";

/** A step that is over, or words about why it is not. */
export type Outcome = { next: Next } | { error: string; isWrongCode?: boolean };

export async function followLink({ about, tokenHash, type, redirectTo }: UsableLink): Promise<Outcome> {
  const answer = await spendLink(tokenHash, type);
  if (answer.ok) return { next: about === "signup" ? confirmed(addressAfter(redirectTo)) : { at: "password" } };
  if (answer.code !== "otp_expired") return { error: words(answer) };
  // A mail for a new password also serves an invitation: it confirms the address, and ends in the choice of a password.
  const mail = about === "signup" ? "signup" : "recovery";
  return { next: { at: "mail", about: mail, email: "", error: linkWords.expired[about] } };
}

/**
 * A code does not say what it is for. Whoever signs up with an address that was invited gets the invitation once more,
 * and of someone who only has a code nothing is known; a wrong guess costs none of the five tries.
 */
const typesOf: Record<"signup" | "recovery" | "any", readonly MailType[]> = {
  signup: ["email", "invite"],
  recovery: ["recovery"],
  any: ["recovery", "email", "invite"],
};

export async function tryCode(about: keyof typeof typesOf, email: string, typed: string): Promise<Outcome> {
  const code = typed.replace(/[\s-]/g, "");
  // Hosted projects can ask for up to ten.
  if (!/^\d{6,10}$/.test(code)) return { error: codeWords.malformed };

  for (const type of typesOf[about]) {
    const answer = await spendCode(email, code, type);
    if (!answer.ok && answer.code !== "otp_expired") return { error: words(answer) };
    if (!answer.ok) continue;
    const isInvited = Boolean(answer.value?.user.invited_at);
    return { next: type === "email" && !isInvited ? confirmed("/") : { at: "password" } };
  }
  return { error: codeWords.wrong, isWrongCode: true };
}

/** Sends the mail, and says so without telling whether the address is known. */
export async function askForMail(about: "signup" | "recovery", email: string): Promise<Outcome> {
  const answer = await (about === "signup" ? sendConfirmationAgain(email) : sendRecovery(email));
  if (!answer.ok) return { error: words(answer, mailWords.notSent) };
  return { next: { at: "code", about, email, notice: mailWords.sent[about] } };
}

export async function choosePassword(password: string): Promise<Outcome> {
  const answer = await savePassword(password);
  if (answer.ok) {
    storeFlashMessage("new-password");
    return { next: { at: "end", address: "/" } };
  }
  if (answer.code === "session_missing")
    return { next: { at: "mail", about: "recovery", email: "", error: passwordWords.tooLate } };
  // No mail has opened this session. Who is simply signed in changes the password where the current one is asked for.
  if (answer.code === "current_password_required") return { next: { at: "end", address: "/admin/account" } };
  return { error: words(answer, passwordWords.failed) };
}

function confirmed(address: string): Next {
  storeFlashMessage("confirmed");
  return { at: "end", address };
}

/** Ours where a code has some, else the server's. */
function words({ code = "", message }: Failure, otherwise: string = linkWords.failed): string {
  return linkWords.refusals[code] ?? message ?? otherwise;
}
