import type { FastifyRequest } from "fastify";
import type { ClientBase, Pool } from "pg";
import { networkOf } from "#server/http/client-network";
import type { AuthContext } from "../auth-context.ts";
import { accessTokenSeconds, signAccessToken } from "../tokens/access-token.ts";
import { familyHashOf, hashOf, newRefreshToken } from "../tokens/secrets.ts";
import { userJson } from "../user-json.ts";
import { changeUser, type User } from "../users.ts";
import { deviceNameOf } from "./device-name.ts";
import { rememberDevice } from "./known-devices.ts";
import type { SessionTimes } from "./session-expiry.ts";

/** A row of `auth.sessions`, as far as tokens speak of it. */
export interface Session extends SessionTimes {
  id: string;
  user_id: string;
  aal: string;
  amr: readonly { method: string; timestamp: number }[];
}

export const sessionColumns = "id, user_id, aal, amr, created_at, refreshed_at, used_at";

export interface OpenSession {
  user: User;
  session: Session;
  refreshToken: string;
}

/** Where a session is used from. Header lengths are the client's choice, so they are cut. */
export function clientOf(request: FastifyRequest) {
  return { ip: request.ip, userAgent: request.headers["user-agent"]?.slice(0, 500) };
}

/** Signs `user` in: a session with its first refresh token. */
export async function openSession(
  db: ClientBase,
  { user, method, place, now }: { user: User; method: string; place: ReturnType<typeof clientOf>; now: Date },
): Promise<OpenSession> {
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }];
  const refreshToken = newRefreshToken();
  const { rows } = await db.query<Session>(
    `insert into auth.sessions (user_id, family_hash, amr, created_at, ip, user_agent) values ($1, $2, $3, $4, $5, $6)
     returning ${sessionColumns}`,
    [user.id, familyHashOf(refreshToken), JSON.stringify(amr), now, place.ip, place.userAgent],
  );
  const [session] = rows;
  if (!session) throw new Error("The new session did not come back.");
  await rememberDevice(db, user.id, { network: networkOf(place.ip), device: deviceNameOf(place.userAgent) }, now);

  await db.query("insert into auth.refresh_tokens (session_id, token_hash, created_at) values ($1, $2, $3)", [
    session.id,
    hashOf(refreshToken),
    now,
  ]);
  return { session, refreshToken, user: await changeUser(db, user, { last_sign_in_at: now }, now) };
}

/** When "Where am I signed in" shows a session as used, to within this long: not every request is worth a write. */
const useSeconds = 5 * 60;

/** Pages ask for the account whenever they open, so this sees what a refresh once an hour would not. */
export async function recordSessionUse(
  db: Pick<Pool, "query">,
  sessionId: string,
  { ip, userAgent }: ReturnType<typeof clientOf>,
  now: Date,
) {
  await db.query(
    `update auth.sessions set used_at = $2, ip = $3, user_agent = $4
     where id = $1 and (ip <> $3 or greatest(created_at, refreshed_at, used_at) <= $5)`,
    [sessionId, now, ip, userAgent, new Date(now.getTime() - useSeconds * 1000)],
  );
}

/** A session as the client keeps it (protocol section 2.1). */
export async function sessionJson({ keys, siteUrl, now }: AuthContext, { user, session, refreshToken }: OpenSession) {
  const issued = now();
  return {
    access_token: await signAccessToken(keys, siteUrl, user, session, issued),
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: Math.floor(issued.getTime() / 1000) + accessTokenSeconds,
    refresh_token: refreshToken,
    user: userJson(user),
  };
}
