import type { Session } from "@supabase/supabase-js";
import { type Answer, askAuth, failure, root } from "./session";

/** What a mail of ours is about. */
export type MailType = "signup" | "email" | "recovery" | "invite";

/** Spends the token of a mailed link, which signs its owner in. */
export function spendLink(tokenHash: string, type: MailType): Promise<Answer<Session | null>> {
  return askAuth(async (client) => {
    const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type });
    return error ? failure(error) : { ok: true, value: data.session };
  });
}

/** The same by the code of the mail. */
export function spendCode(email: string, code: string, type: MailType): Promise<Answer<Session | null>> {
  return askAuth(async (client) => {
    const { data, error } = await client.auth.verifyOtp({ email, token: code, type });
    return error ? failure(error) : { ok: true, value: data.session };
  });
}

/** Asks for a way to a new password. The answer is the same whether the address is known or not. */
export function sendRecovery(email: string): Promise<Answer<null>> {
  return askAuth(async (client) => {
    const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo: root() });
    return error ? failure(error) : { ok: true, value: null };
  });
}

/** Sets the password of whoever is signed in. `current` is not asked of someone whom a mail has just let in. */
export function savePassword(password: string, current?: string): Promise<Answer<null>> {
  return askAuth(async (client) => {
    const wish = current === undefined ? { password } : { password, current_password: current };
    const { error } = await client.auth.updateUser(wish);
    // The library's own finding has no code, and the server's is lost in it.
    if (error?.name === "AuthSessionMissingError") return { ok: false, message: undefined, code: "session_missing" };
    return error ? failure(error) : { ok: true, value: null };
  });
}
