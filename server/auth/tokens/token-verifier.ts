import type { Pool } from "pg";
import type { Claims } from "#server/database/as-caller";
import { repeatable } from "#server/database/reconnect";
import { Refusal } from "#server/http/refusal";
import type { AuthContext } from "../auth-context.ts";
import { isExpired, type SessionLimits, type SessionTimes } from "../sessions/session-expiry.ts";
import { type AccessClaims, BadToken, readAccessToken, type TokenProblem } from "./access-token.ts";

const refusals: Record<TokenProblem | "over", readonly [code: "PGRST301" | "PGRST303", message: string]> = {
  malformed: ["PGRST301", "JWT couldn't be decoded"],
  algorithm: ["PGRST301", "Wrong or unsupported encoding algorithm"],
  key: ["PGRST301", "No suitable key or wrong key type"],
  signature: ["PGRST301", "JWT cryptographic operation failed"],
  expired: ["PGRST303", "JWT expired"],
  future: ["PGRST303", "JWT issued at future"],
  claims: ["PGRST303", "JWT not in audience"],
  over: ["PGRST303", "JWT session has ended"],
};

/**
 * For the data API, which refuses in words of its own (protocol section 4.1). Beyond upstream, the token's session must
 * still be open: after its end or a ban it opens nothing, although it would be valid for the rest of the hour.
 */
export function tokenVerifier(context: Pick<AuthContext, "owner" | "keys" | "siteUrl" | "now"> & SessionLimits) {
  return async (token: string): Promise<Claims> => {
    const now = context.now();
    const claims = await readAccessToken(token, context.keys, context.siteUrl, now).catch((error: unknown) => {
      throw error instanceof BadToken ? refuse(error.problem, error) : error;
    });
    const session = await findSession(context.owner, claims, now);
    if (!session || isExpired(session, context, now)) throw refuse("over");
    return claims;
  };
}

/** Undefined for a banned account as well. */
async function findSession(owner: Pool, claims: AccessClaims, now: Date): Promise<SessionTimes | undefined> {
  const { rows } = await repeatable(owner).query<SessionTimes>(
    `select s.created_at, s.refreshed_at, s.used_at from auth.sessions s join auth.users u on u.id = s.user_id
     where s.id = $1 and u.id = $2 and (u.banned_until is null or u.banned_until <= $3)`,
    [claims.session_id, claims.sub, now],
  );
  return rows[0];
}

function refuse(problem: TokenProblem | "over", cause?: unknown): Refusal {
  const [code, message] = refusals[problem];
  const challenge = `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`;
  return new Refusal(401, code, message, { headers: { "www-authenticate": challenge }, cause });
}
