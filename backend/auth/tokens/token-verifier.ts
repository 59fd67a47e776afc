import type { Claims } from "#backend/database/as-caller";
import { repeatable } from "#backend/database/reconnect";
import { Refusal } from "#backend/http/refusal";
import type { AuthContext } from "../auth-context.ts";
import { expiredSession, levelOf, type SessionLevel } from "../sessions/session-store.ts";
import { BadToken, readAccessToken, type TokenProblem } from "./access-token.ts";

type Answers = readonly [dataCode: "PGRST301" | "PGRST303", dataMessage: string, authReason: string];

/** The answers to a bad token: docs/protocol.md#token-check, docs/protocol.md#auth-api. */
export const tokenAnswers: Record<TokenProblem, Answers> = {
  malformed: ["PGRST301", "JWT couldn't be decoded", "token is malformed"],
  algorithm: ["PGRST301", "Wrong or unsupported encoding algorithm", "token is malformed: signing method is invalid"],
  key: ["PGRST301", "No suitable key or wrong key type", "token is unverifiable: unrecognized JWT kid"],
  signature: ["PGRST301", "JWT cryptographic operation failed", "token signature is invalid"],
  expired: ["PGRST303", "JWT expired", "token has invalid claims: token is expired"],
  future: ["PGRST303", "JWT issued at future", "token has invalid claims: token is not valid yet"],
  claims: ["PGRST303", "JWT not in audience", "token has invalid claims"],
};

/**
 * For the data API. Unlike upstream, a token is refused as soon as its session has ended or its account is banned. The
 * level of the session counts, see `levelOf`.
 */
export function tokenVerifier(
  context: Pick<AuthContext, "owner" | "keys" | "siteUrl" | "now" | "sessionIdleDays" | "sessionMaxDays">,
) {
  return async (token: string): Promise<Claims> => {
    const claims = await readAccessToken(token, context.keys, context.siteUrl, context.now()).catch(
      (error: unknown) => {
        if (!(error instanceof BadToken)) throw error;
        const [code, message] = tokenAnswers[error.problem];
        throw invalidToken(code, message, error);
      },
    );
    const { rows } = await repeatable(context.owner).query<SessionLevel>({
      name: "session of token",
      text: `select aal, amr from auth.sessions where id = $1 and user_id = $2 and not ${expiredSession(context)}
         and exists (select from auth.users where id = $2 and coalesce(banned_until <= now(), true))`,
      values: [claims.session_id, claims.sub],
    });
    const [session] = rows;
    if (!session) throw invalidToken("PGRST303", "JWT session has ended");
    return { ...claims, aal: levelOf(claims, session) };
  };
}

/** With the challenge of RFC 6750. */
function invalidToken(code: string, message: string, cause?: unknown): Refusal {
  const challenge = `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`;
  return new Refusal(401, code, message, { headers: { "www-authenticate": challenge }, cause });
}
