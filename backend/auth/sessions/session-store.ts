import { isDeepStrictEqual } from "node:util";
import type { ClientBase } from "pg";
import type { Rows } from "#backend/database/rows";
import type { Database } from "#backend/database/transaction";
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

export interface Session extends Pick<Rows["auth.sessions"], "id" | "user_id" | "aal"> {
  amr: readonly { method: string; timestamp: number }[];
}

export type SessionLevel = Pick<Session, "aal" | "amr">;

export const sessionColumns = "id, user_id, aal, amr";

/** The condition of an expired session. Its row may still exist, because expired rows are deleted once a day. */
export function expiredSession({ sessionIdleDays, sessionMaxDays }: SessionLimits): string {
  return `(greatest(created_at, refreshed_at) < now() - interval '${sessionIdleDays} days' or created_at < now() - interval '${sessionMaxDays} days')`;
}

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
  /** The key of the bucket of attempts that the network gets back. */
  refills?: Buffer;
}

/** In SQL, the entry of this method in `amr`, made now. */
export function methodNow(parameter: string): string {
  return `jsonb_build_object('method', ${parameter}::text, 'timestamp', floor(extract(epoch from now()))::bigint)`;
}

/**
 * Signs `user` in, in one statement, because a sign-in should hardly cost more than its hash. Refused if the account was
 * deleted or banned or got another password since `user` was read.
 */
export async function openSession(db: Database, signIn: SignIn): Promise<OpenSession> {
  const { user, method, ip, refills } = signIn;
  const refreshToken = newRefreshToken();
  const { rows } = await db.query<Session & Pick<User, "last_sign_in_at" | "updated_at">>({
    name: "open session",
    text: `with account as (
       update auth.users set last_sign_in_at = now(), updated_at = now()
       where id = $1 and encrypted_password is not distinct from $2 and coalesce(banned_until <= now(), true)
       returning id as user_id, last_sign_in_at, updated_at
     ), session as (
       insert into auth.sessions (user_id, family_hash, amr, created_at)
       select user_id, $3, jsonb_build_array(${methodNow("$4")}), now() from account returning ${sessionColumns}
     ), token as (
       insert into auth.refresh_tokens (session_id, token_hash, created_at) select id, $5, now() from session
     ), entry as (
       insert into auth.audit_log_entries (payload, created_at, ip_address) select $6, now(), $7 from account
     ), attempts as (
       delete from auth.rate_limits where key_hash = $8 and exists (select from account)
     )
     select * from session join account using (user_id)`,
    values: [
      ...[user.id, user.encrypted_password, familyHashOf(refreshToken), method, hashOf(refreshToken)],
      ...[auditPayload(signIn), ip, refills],
    ],
  });
  const [opened] = rows;
  if (!opened) throw refusals.wrongCredentials();
  const { last_sign_in_at, updated_at, ...session } = opened;
  return { session, refreshToken, user: { ...user, last_sign_in_at, updated_at } };
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
 * Ends all sessions of an account, only one or all except one, with their refresh tokens (on delete cascade). Locks the
 * account first, as a verification of the second factor does: no deadlock.
 */
export async function endSessions(
  db: ClientBase,
  userId: string,
  { only, except }: { only?: string; except?: string | undefined } = {},
) {
  await db.query(
    `with account as (select id from auth.users where id = $1 for update)
     delete from auth.sessions
     where user_id = (select id from account) and coalesce(id = $2, true) and coalesce(id <> $3, true)`,
    [userId, only, except],
  );
}
