import type { AuthContext } from "../auth-context.ts";
import { signAccessToken } from "../tokens/access-token.ts";
import { accessTokenSeconds } from "../tokens/signing-keys.ts";
import { userJson } from "../user-json.ts";
import type { OpenSession } from "./sessions.ts";

/** A session as the client stores it, with a new access token (docs/protocol.md#session-object). */
export async function sessionJson({ keys, siteUrl, now }: AuthContext, { user, session, refreshToken }: OpenSession) {
  const issuedAt = now();
  return {
    access_token: await signAccessToken(keys, siteUrl, user, session, issuedAt),
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: Math.floor(issuedAt.getTime() / 1000) + accessTokenSeconds,
    refresh_token: refreshToken,
    user: userJson(user),
  };
}
