import type { Session } from "@supabase/supabase-js";
import { formRequest } from "./request";
import { authFailure, type Result } from "./result";
import { siteRoot } from "./session";

/** The type of a mailed link or code in the protocol (docs/protocol.md#link-types). */
export type MailType = "signup" | "email" | "recovery" | "invite";

/** Uses up the token of a mailed link and signs in. */
export function verifyLink(tokenHash: string, type: MailType): Promise<Result<Session | null>> {
  return formRequest(async (client) => {
    const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type });
    return error ? authFailure(error) : { ok: true, value: data.session };
  });
}

/** Uses up the code of a mail, which works in place of its link, and signs in. */
export function verifyCode(email: string, code: string, type: MailType): Promise<Result<Session | null>> {
  return formRequest(async (client) => {
    const { data, error } = await client.auth.verifyOtp({ email, token: code, type });
    return error ? authFailure(error) : { ok: true, value: data.session };
  });
}

/** Requests the mail for a new password. The answer does not tell whether the address has an account. */
export function sendRecovery(email: string): Promise<Result<null>> {
  return formRequest(async (client) => {
    const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo: siteRoot() });
    return error ? authFailure(error) : { ok: true, value: null };
  });
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
