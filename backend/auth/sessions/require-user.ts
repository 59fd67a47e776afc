import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { repeatable } from "#backend/database/reconnect";
import type { Database } from "#backend/database/transaction";
import { isApiKey, readBearer } from "#backend/http/credentials";
import type { AuthContext } from "../auth-context.ts";
import { inShare } from "../connection-share.ts";
import { refusals } from "../refusals.ts";
import { type AccessClaims, BadToken, readAccessToken } from "../tokens/access-token.ts";
import { tokenAnswers } from "../tokens/token-verifier.ts";
import { isBanned, type User, userColumns } from "../users.ts";
import { isExpired, lastUseOf, levelOf, type SessionLevel, type SessionTimes } from "./sessions.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Found by `routeOfUser` before the body is read. */
    caller: Caller | null;
  }
}

export interface Caller {
  user: User;
  /** The claims of the token, with the level of `levelOf`. */
  claims: AccessClaims;
  /** The last use of the session, see `recordSessionUse`. */
  lastUsedAt: Date;
}

/** The caller's session must still exist, so that a sign-out takes effect at once (docs/protocol.md#auth-api). */
export async function requireUser(request: FastifyRequest, context: AuthContext): Promise<Caller> {
  const { keys, publicKey, siteUrl, now } = context;
  const token = readBearer(request);
  if (!token) throw refusals.noBearer();
  if (isApiKey(token, publicKey)) throw refusals.keyAsToken();

  const claims = await readAccessToken(token, keys, siteUrl, now()).catch((error: unknown) => {
    if (!(error instanceof BadToken)) throw error;
    const [, , reason] = tokenAnswers[error.problem];
    throw refusals.badToken(reason, error);
  });
  return findCaller(repeatable(context.owner), claims, context);
}

/** Finds the caller before the body is read: a request without a session is refused as such, whatever else is wrong. */
export function routeOfUser(
  context: AuthContext,
  handle: (request: FastifyRequest, caller: Caller, context: AuthContext) => Promise<unknown>,
) {
  return {
    onRequest: inShare(context, async (request) => {
      request.caller = await requireUser(request, context);
      limitSession(context, request.caller.claims.session_id);
    }),
    handler: inShare(context, (request) => handle(request, request.caller as Caller, context)),
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
 * Locks the caller's account until the transaction ends, and checks the caller again: while the request waited for the
 * lock, another one may have ended its session, confirmed a second factor or changed the password. The lock is a
 * separate statement, because one that waits still sees other tables as they were when it began.
 */
export async function lockCaller(db: ClientBase, { user, claims }: Caller, context: AuthContext): Promise<Caller> {
  await db.query("select from auth.users where id = $1 for update", [user.id]);
  return findCaller(db, claims, context);
}

async function findCaller(db: Database, claims: AccessClaims, context: AuthContext): Promise<Caller> {
  const now = context.now();
  const { rows } = await db.query<User & SessionOfCaller>({
    name: "caller",
    text: `select ${userColumns}, session.* from auth.users left join (
       select aal, amr, created_at as session_created_at, refreshed_at, used_at
       from auth.sessions where id = $2 and user_id = $1) session on true
     where users.id = $1`,
    values: [claims.sub, claims.session_id],
  });
  const [row] = rows;
  if (!row) throw refusals.noSuchUser();
  const { aal, amr, session_created_at, refreshed_at, used_at, ...user } = row;
  if (isBanned(user, now)) throw refusals.banned(403);
  const times = session_created_at && { created_at: session_created_at, refreshed_at, used_at };
  if (!times || isExpired(times, context, now)) throw refusals.noSuchSession();
  return { user, claims: { ...claims, aal: levelOf(claims, { aal, amr }) }, lastUsedAt: lastUseOf(times) };
}

interface SessionOfCaller extends SessionLevel, Omit<SessionTimes, "created_at"> {
  /** Null if the session has ended. */
  session_created_at: Date | null;
}
