import type { Session } from "@supabase/auth-js";
import { authRequest, formRequest, requireStored } from "./request";
import { authFailure, type Result } from "./result";
import { siteRoot } from "./session";

/** The type of a mailed link or code in the protocol (docs/protocol.md#link-types). */
export type MailType = "signup" | "email" | "recovery" | "invite" | "email_change";

/**
 * Uses up a mailed link, or the code that works in place of it, and signs in. With `discardsPassword`, our server
 * removes a password that was set before the address was confirmed (docs/protocol.md#an-unproved-password). A hosted
 * project ignores it.
 */
export async function verifyMail(
  secret: { token_hash: string } | { email: string; token: string },
  type: MailType,
  discardsPassword: boolean,
): Promise<Result<Session | null>> {
  const discard = discardsPassword ? { discard_password: true } : {};
  const result = await authRequest(
    (auth) => auth.verifyOtp({ ...secret, type, ...discard }),
    ({ session }) => session,
  );
  return requireStored(result);
}

/** Requests the mail for a new password. The answer does not tell whether the address has an account. */
export function sendRecovery(email: string): Promise<Result<null>> {
  return authRequest(
    (auth) => auth.resetPasswordForEmail(email, { redirectTo: siteRoot() }),
    () => null,
  );
}

/** Sets the account's password. `current` is the present password, which a session opened by a mail does not need. */
export function savePassword(password: string, current?: string): Promise<Result<null>> {
  return formRequest(async (client) => {
    const change = current === undefined ? { password } : { password, current_password: current };
    const { error } = await client.auth.updateUser(change);
    // If the session is missing, the library replaces the server's error with this one, which has no code.
    if (error?.name === "AuthSessionMissingError") return { ok: false, code: "session_missing" };
    return error ? authFailure(error) : { ok: true, value: null };
  });
}
