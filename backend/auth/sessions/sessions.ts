import { isDeepStrictEqual } from "node:util";
import type { FastifyRequest } from "fastify";
import type { ClientBase, Pool } from "pg";
import type { Rows } from "#backend/database/rows";
import { addSeconds } from "../add-seconds.ts";
import { auditPayload } from "../audit-log.ts";
import { refusals } from "../refusals.ts";
import { familyHashOf, hashOf, newRefreshToken } from "../tokens/random-tokens.ts";
import type { User } from "../users.ts";
import { type Client, hashOfDevice, hashOfNetwork, knownSince } from "./known-devices.ts";

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

/** The `User-Agent` is cut, because a client could send a very long one. */
export function clientOf(request: FastifyRequest): Client {
  return { ip: request.ip, userAgent: request.headers["user-agent"]?.slice(0, 500) };
}

/** What a sign-in proved, in the words of the mail about a new device. */
const ways = { password: "the password", link: "a link from an email", code: "a code from an email" } as const;

export interface SignIn {
  user: User;
  way: keyof typeof ways;
  client: Client;
  /** The entry of the audit log. */
  action: "login" | "user_signedup" | "user_modified";
  traits?: Record<string, unknown>;
  now: Date;
}

/**
 * Signs `user` in, and mails the owner about a new device. Except for the mail it is one statement, because a sign-in
 * should hardly cost more than its hash. Refused if the account was deleted or banned or got another password since
 * `user` was read.
 */
export async function openSession(db: ClientBase, signIn: SignIn): Promise<OpenSession> {
  const { user, way, client, now } = signIn;
  const amr = [{ method: way === "password" ? "password" : "otp", timestamp: Math.floor(now.getTime() / 1000) }];
  const refreshToken = newRefreshToken();
  const network = hashOfNetwork(user.id, client.ip, "password or mail");
  const { rows } = await db.query<Session & { is_new_device: boolean | null }>({
    name: "open session",
    text: `with account as (
       update auth.users set last_sign_in_at = $2, updated_at = $2
       where id = $1 and encrypted_password is not distinct from $3 and coalesce(banned_until <= $2, true) returning id
     ), session as (
       insert into auth.sessions (user_id, family_hash, amr, created_at, ip, user_agent)
       select id, $4, $5, $2, $6, $7 from account returning ${sessionColumns}
     ), token as (
       insert into auth.refresh_tokens (session_id, token_hash, created_at) select id, $8, $2 from session
     ), device as (
       insert into auth.known_devices (user_id, kind, value_hash, seen_at)
       select id, kind, value_hash, $2 from account, (values ('network', $9::bytea), ('device', $10)) known (kind, value_hash)
       on conflict (user_id, kind, value_hash) do update set seen_at = excluded.seen_at
     ), entry as (
       insert into auth.audit_log_entries (payload, created_at, ip_address) select $11, $2, $6 from account
     )
     select session.*, (
       -- This sees the devices of before the statement; without any, it is null.
       select not bool_or(value_hash = $10) from auth.known_devices where user_id = $1 and kind = 'device' and seen_at > $12
     ) as is_new_device
     from session`,
    values: [
      ...[user.id, now, user.encrypted_password, familyHashOf(refreshToken), JSON.stringify(amr)],
      ...[client.ip, client.userAgent, hashOf(refreshToken), network, hashOfDevice(user.id, client.userAgent)],
      ...[auditPayload(signIn), knownSince("device", now)],
    ],
  });
  const [opened] = rows;
  if (!opened) throw refusals.wrongCredentials();
  const { is_new_device: isNewDevice, ...session } = opened;
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
 * At most once in five minutes per session, unless the address changes. For GET /user, which the client sends when a
 * page opens; it refreshes only once an hour.
 */
export async function recordSessionUse(
  db: Pick<Pool, "query">,
  { claims, lastIp, lastUsedAt }: { claims: { session_id: string }; lastIp: string | null; lastUsedAt: Date },
  { ip, userAgent }: Client,
  now: Date,
) {
  if (ip === lastIp && Math.abs(now.getTime() - lastUsedAt.getTime()) < useSeconds * 1000) return;
  const sql = "update auth.sessions set used_at = $2, ip = $3, user_agent = $4 where id = $1";
  await db.query(sql, [claims.session_id, now, ip, userAgent]);
}
