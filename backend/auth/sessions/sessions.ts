import { isDeepStrictEqual } from "node:util";
import type { ClientBase, Pool } from "pg";
import type { Rows } from "#backend/database/rows";
import { addSeconds } from "../add-seconds.ts";
import { auditPayload } from "../audit-log.ts";
import { refusals } from "../refusals.ts";
import { familyHashOf, hashOf, newRefreshToken } from "../tokens/random-tokens.ts";
import type { User } from "../users.ts";

/** Upstream's inactivity timeout and time-box (docs/protocol.md#session-lifetime). */
export interface SessionLimits {
  /** Days from the last use to the end. */
  sessionIdleDays: number;
  /** Days from the beginning to the end, however often the session is used. */
  sessionMaxDays: number;
}

/** What decides when a session ends. A refresh sets `refreshed_at`, and GET /user sets `used_at`. */
export type SessionTimes = Pick<Rows["auth.sessions"], "created_at" | "refreshed_at" | "used_at">;

export interface Session extends SessionTimes, Pick<Rows["auth.sessions"], "id" | "user_id" | "aal"> {
  amr: readonly { method: string; timestamp: number }[];
}

export type SessionLevel = Pick<Session, "aal" | "amr">;

export const sessionColumns = "id, user_id, aal, amr, created_at, refreshed_at, used_at";

export interface OpenSession {
  user: User;
  session: Session;
  refreshToken: string;
}

export interface SignIn {
  user: User;
  method: "password" | "otp";
  ip: string;
  /** The entry of the audit log. */
  action: "login" | "user_signedup" | "user_modified";
  traits?: Record<string, unknown>;
  now: Date;
}

/**
 * Signs `user` in, in one statement, because a sign-in should hardly cost more than its hash. Refused if the account was
 * deleted or banned or got another password since `user` was read.
 */
export async function openSession(db: ClientBase, signIn: SignIn): Promise<OpenSession> {
  const { user, method, ip, now } = signIn;
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }];
  const refreshToken = newRefreshToken();
  const { rows } = await db.query<Session>({
    name: "open session",
    text: `with account as (
       update auth.users set last_sign_in_at = $2, updated_at = $2
       where id = $1 and encrypted_password is not distinct from $3 and coalesce(banned_until <= $2, true) returning id
     ), session as (
       insert into auth.sessions (user_id, family_hash, amr, created_at)
       select id, $4, $5, $2 from account returning ${sessionColumns}
     ), token as (
       insert into auth.refresh_tokens (session_id, token_hash, created_at) select id, $6, $2 from session
     ), entry as (
       insert into auth.audit_log_entries (payload, created_at, ip_address) select $7, $2, $8 from account
     )
     select * from session`,
    values: [
      ...[user.id, now, user.encrypted_password, familyHashOf(refreshToken), JSON.stringify(amr)],
      ...[hashOf(refreshToken), auditPayload(signIn), ip],
    ],
  });
  const [session] = rows;
  if (!session) throw refusals.wrongCredentials();
  return { session, refreshToken, user: { ...user, last_sign_in_at: now, updated_at: now } };
}

/**
 * The level is aal2 if the session has used a second factor and the token was issued for that use. So the removal of a
 * factor takes effect at once, and a copy of an older token gains nothing when the owner raises the session.
 */
export function levelOf(claims: { aal: string; amr?: unknown }, session: SessionLevel): string {
  // Each use of a second factor changes `amr`, so a token from before its removal gains nothing when a new one is added.
  const isSame = claims.aal === session.aal && isDeepStrictEqual(claims.amr, session.amr);
  return isSame ? session.aal : "aal1";
}

/**
 * Ends all sessions of an account, only one or all except one, with their refresh tokens (on delete cascade), and
 * returns their number. Locks the account first, as a verification of the second factor does: no deadlock.
 */
export async function endSessions(
  db: ClientBase,
  userId: string,
  { only, except }: { only?: string; except?: string } = {},
): Promise<number> {
  const { rowCount } = await db.query(
    `with account as (select id from auth.users where id = $1 for update)
     delete from auth.sessions
     where user_id = (select id from account) and coalesce(id = $2, true) and coalesce(id <> $3, true)`,
    [userId, only, except],
  );
  return rowCount ?? 0;
}

/** The row of an expired session may still exist, because expired rows are deleted once a day. */
export function isExpired(session: SessionTimes, { sessionIdleDays, sessionMaxDays }: SessionLimits, now: Date) {
  const daysAgo = (days: number) => addSeconds(now, -days * 24 * 60 * 60);
  return lastUseOf(session) < daysAgo(sessionIdleDays) || session.created_at < daysAgo(sessionMaxDays);
}

export function lastUseOf({ created_at, refreshed_at, used_at }: SessionTimes): Date {
  return new Date(Math.max(...[created_at, refreshed_at, used_at].map((time) => time?.getTime() ?? 0)));
}

const useSeconds = 5 * 60;

/**
 * At most once in five minutes per session. For GET /user, which the client sends when a page opens; it refreshes only once
 * an hour.
 */
export async function recordSessionUse(
  db: Pick<Pool, "query">,
  { claims, lastUsedAt }: { claims: { session_id: string }; lastUsedAt: Date },
  now: Date,
) {
  if (Math.abs(now.getTime() - lastUsedAt.getTime()) < useSeconds * 1000) return;
  await db.query("update auth.sessions set used_at = $2 where id = $1", [claims.session_id, now]);
}
