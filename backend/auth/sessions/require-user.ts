import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import type { Claims } from "#backend/database/as-caller";
import { repeatable } from "#backend/database/reconnect";
import type { Database } from "#backend/database/transaction";
import { isApiKey, readBearer } from "#backend/http/credentials";
import { Refusal } from "#backend/http/refusal";
import type { Answer, AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { type AccessClaims, BadToken, readAccessToken, tokenAnswers } from "../tokens/access-token.ts";
import { type User, userColumns } from "../users.ts";
import { expiredSession, levelOf, type SessionLevel, type SessionLimits } from "./session-store.ts";

/** A person with a session that has not ended. */
export interface SignedIn {
  user: User;
  /** The claims of the token, with the level of `levelOf`. */
  claims: AccessClaims;
}

/** The session must still exist, so that a sign-out takes effect at once (docs/protocol.md#auth-api). */
export async function requireUser(request: FastifyRequest, context: AuthContext): Promise<SignedIn> {
  const token = readBearer(request);
  if (!token) throw refusals.noBearer();
  if (isApiKey(token, context.publicKey)) throw refusals.keyAsToken();

  const claims = await readClaims(token, context, (error) => {
    const [, , reason] = tokenAnswers[error.problem];
    return refusals.badToken(reason, error);
  });
  return findSignedIn(repeatable(context.owner), claims, context);
}

type VerifierContext = Pick<AuthContext, "owner" | "keys" | "siteUrl" | "now"> & SessionLimits;

/**
 * For the data API. Unlike upstream, a token is refused as soon as its session has ended or its account is banned. The
 * level of the session counts, see `levelOf`.
 */
export function tokenVerifier(context: VerifierContext) {
  return async (token: string): Promise<Claims> => {
    const given = await readClaims(token, context, (error) => {
      const [code, message] = tokenAnswers[error.problem];
      return invalidToken(code, message, error);
    });
    const { claims } = await findSignedIn(repeatable(context.owner), given, context).catch((error: unknown) => {
      throw error instanceof Refusal ? invalidToken("PGRST303", "JWT session has ended") : error;
    });
    return claims;
  };
}

async function readClaims(
  token: string,
  { keys, siteUrl, now }: Pick<AuthContext, "keys" | "siteUrl" | "now">,
  refuse: (error: BadToken) => Refusal,
): Promise<AccessClaims> {
  return readAccessToken(token, keys, siteUrl, now()).catch((error: unknown) => {
    throw error instanceof BadToken ? refuse(error) : error;
  });
}

/** With the challenge of RFC 6750. */
function invalidToken(code: string, message: string, cause?: unknown): Refusal {
  const challenge = `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`;
  return new Refusal(401, code, message, { headers: { "www-authenticate": challenge }, cause });
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

async function findSignedIn(db: Database, claims: AccessClaims, context: SessionLimits): Promise<SignedIn> {
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
