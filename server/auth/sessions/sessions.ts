import type { FastifyRequest } from "fastify";
import type { ClientBase, Pool } from "pg";
import { familyHashOf, hashOf, newRefreshToken } from "../tokens/secrets.ts";
import { changeUser, type User } from "../users.ts";
import { type Client, rememberDevice } from "./known-devices.ts";
import type { SessionTimes } from "./session-expiry.ts";

/** A row of `auth.sessions`, without the columns that only the list of sessions shows. */
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

/**
 * The IP address and browser that use a session. The `User-Agent` is cut, because a client could send a very long one.
 */
export function clientOf(request: FastifyRequest): Client {
  return { ip: request.ip, userAgent: request.headers["user-agent"]?.slice(0, 500) };
}

/** Signs `user` in: stores a session with its first refresh token. */
export async function openSession(
  db: ClientBase,
  { user, method, client, now }: { user: User; method: string; client: Client; now: Date },
): Promise<OpenSession> {
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }];
  const refreshToken = newRefreshToken();
  const { rows } = await db.query<Session>(
    `insert into auth.sessions (user_id, family_hash, amr, created_at, ip, user_agent) values ($1, $2, $3, $4, $5, $6)
     returning ${sessionColumns}`,
    [user.id, familyHashOf(refreshToken), JSON.stringify(amr), now, client.ip, client.userAgent],
  );
  const [session] = rows;
  if (!session) throw new Error("PostgreSQL returned no row for the new session.");
  await rememberDevice(db, user.id, client, now);

  await db.query("insert into auth.refresh_tokens (session_id, token_hash, created_at) values ($1, $2, $3)", [
    session.id,
    hashOf(refreshToken),
    now,
  ]);
  return { session, refreshToken, user: await changeUser(db, user, { last_sign_in_at: now }, now) };
}

const useSeconds = 5 * 60;

/**
 * Write `used_at` at most once in five minutes per session, unless the address changes. The handler of GET /user calls
 * this function, because the client sends GET /user when a page opens, but refreshes only once an hour.
 */
export async function recordSessionUse(
  db: Pick<Pool, "query">,
  sessionId: string,
  { ip, userAgent }: Client,
  now: Date,
) {
  await db.query(
    `update auth.sessions set used_at = $2, ip = $3, user_agent = $4
     where id = $1 and (ip <> $3 or greatest(created_at, refreshed_at, used_at) <= $5)`,
    [sessionId, now, ip, userAgent, new Date(now.getTime() - useSeconds * 1000)],
  );
}
