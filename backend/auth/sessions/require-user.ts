import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { repeatable } from "#backend/database/reconnect";
import type { Database } from "#backend/database/transaction";
import { isApiKey, readBearer } from "#backend/http/credentials";
import type { Answer, AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { type AccessClaims, BadToken, readAccessToken } from "../tokens/access-token.ts";
import { tokenAnswers } from "../tokens/token-verifier.ts";
import { type User, userColumns } from "../users.ts";
import { expiredSession, levelOf, type SessionLevel } from "./session-store.ts";

/** A person with a session that has not ended. */
export interface SignedIn {
  user: User;
  /** The claims of the token, with the level of `levelOf`. */
  claims: AccessClaims;
}

/** The session must still exist, so that a sign-out takes effect at once (docs/protocol.md#auth-api). */
export async function requireUser(request: FastifyRequest, context: AuthContext): Promise<SignedIn> {
  const { keys, publicKey, siteUrl, now } = context;
  const token = readBearer(request);
  if (!token) throw refusals.noBearer();
  if (isApiKey(token, publicKey)) throw refusals.keyAsToken();

  const claims = await readAccessToken(token, keys, siteUrl, now()).catch((error: unknown) => {
    if (!(error instanceof BadToken)) throw error;
    const [, , reason] = tokenAnswers[error.problem];
    throw refusals.badToken(reason, error);
  });
  return findSignedIn(repeatable(context.owner), claims, context);
}

/** For requests of a user that are limited per session. */
export function ofUser(
  answer: (request: FastifyRequest, signedIn: SignedIn, context: AuthContext) => Promise<unknown>,
): Answer {
  return async (request, context) => {
    const signedIn = await requireUser(request, context);
    limitSession(context, signedIn.claims.session_id);
    return answer(request, signedIn, context);
  };
}

/**
 * For a session that changes its account too often, from however many networks. Each session counts apart, so that a
 * thief of the password uses up nothing of its owner's.
 */
export function limitSession(context: AuthContext, session: string) {
  context.floodLimits.take("requests of a session", { session }, { refuse: refusals.rateLimited });
}

/**
 * Locks the account until the transaction ends, and checks the session again: while the request waited for the
 * lock, another one may have ended its session, confirmed a second factor or changed the password. The lock is a
 * separate statement, because one that waits still sees other tables as they were when it began.
 */
export async function lockSignedIn(
  db: ClientBase,
  { user, claims }: SignedIn,
  context: AuthContext,
): Promise<SignedIn> {
  await db.query("select from auth.users where id = $1 for update", [user.id]);
  return findSignedIn(db, claims, context);
}

async function findSignedIn(db: Database, claims: AccessClaims, context: AuthContext): Promise<SignedIn> {
  const { rows } = await db.query<User & FoundSession>({
    name: "signed in",
    text: `select ${userColumns}, session.* from auth.users left join (
       select aal, amr, ${expiredSession(context)} as is_expired
       from auth.sessions where id = $2 and user_id = $1) session on true
     where users.id = $1`,
    values: [claims.sub, claims.session_id],
  });
  const [row] = rows;
  if (!row) throw refusals.noSuchUser();
  const { aal, amr, is_expired: isExpired, ...user } = row;
  if (user.is_banned) throw refusals.banned(403);
  if (isExpired !== false) throw refusals.noSuchSession();
  return { user, claims: { ...claims, aal: levelOf(claims, { aal, amr }) } };
}

interface FoundSession extends SessionLevel {
  /** Null if the session has ended. */
  is_expired: boolean | null;
}
