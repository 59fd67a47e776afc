import type { Claims } from "#server/database/as-caller";
import { repeatable } from "#server/database/reconnect";
import { invalidToken } from "#server/http/refusal";
import type { AuthContext } from "../auth-context.ts";
import { isExpired, levelOf, type SessionLevel, type SessionTimes } from "../sessions/sessions.ts";
import { BadToken, readAccessToken, type TokenProblem } from "./access-token.ts";

/** The answers to a bad token: docs/protocol.md#token-check, docs/protocol.md#user-check. */
export const tokenAnswers: Record<TokenProblem, { data: DataAnswer; auth: string }> = {
  malformed: { data: ["PGRST301", "JWT couldn't be decoded"], auth: "token is malformed" },
  algorithm: {
    data: ["PGRST301", "Wrong or unsupported encoding algorithm"],
    auth: "token is malformed: signing method is invalid",
  },
  key: {
    data: ["PGRST301", "No suitable key or wrong key type"],
    auth: "token is unverifiable: unrecognized JWT kid",
  },
  signature: { data: ["PGRST301", "JWT cryptographic operation failed"], auth: "token signature is invalid" },
  expired: { data: ["PGRST303", "JWT expired"], auth: "token has invalid claims: token is expired" },
  future: { data: ["PGRST303", "JWT issued at future"], auth: "token has invalid claims: token is not valid yet" },
  claims: { data: ["PGRST303", "JWT not in audience"], auth: "token has invalid claims" },
};

type DataAnswer = readonly [code: "PGRST301" | "PGRST303", message: string];

const sessionEnded: DataAnswer = ["PGRST303", "JWT session has ended"];

/**
 * For the data API. Unlike upstream, a token is refused as soon as its session has ended or its account is banned. The
 * level of the session counts, see `levelOf`.
 */
export function tokenVerifier(
  context: Pick<AuthContext, "owner" | "keys" | "siteUrl" | "now" | "sessionIdleDays" | "sessionMaxDays">,
) {
  return async (token: string): Promise<Claims> => {
    const now = context.now();
    const claims = await readAccessToken(token, context.keys, context.siteUrl, now).catch((error: unknown) => {
      throw error instanceof BadToken ? invalidToken(...tokenAnswers[error.problem].data, error) : error;
    });
    // No row if the session was deleted or its account is banned.
    const { rows } = await repeatable(context.owner).query<SessionTimes & SessionLevel>({
      name: "session of token",
      text: `select s.aal, s.amr, s.created_at, s.refreshed_at, s.used_at from auth.sessions s join auth.users u on u.id = s.user_id
       where s.id = $1 and u.id = $2 and (u.banned_until is null or u.banned_until <= $3)`,
      values: [claims.session_id, claims.sub, now],
    });
    const [session] = rows;
    if (!session || isExpired(session, context, now)) throw invalidToken(...sessionEnded);
    return { ...claims, aal: levelOf(claims, session) };
  };
}
