import type { ClientBase } from "pg";
import { repeatable } from "#backend/database/reconnect";
import type { Database } from "#backend/database/transaction";
import { takeLimits } from "#backend/limits/rate-limiter";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import type { PasswordHasher } from "../passwords/password-hasher.ts";
import { findUser, lockUserOfToken, type User } from "../users.ts";
import { hashOf, newCode, newLinkToken } from "./random-tokens.ts";

/**
 * What a mailed secret is for, with the parameter `type` of its link and the hours for which this is valid
 * (docs/protocol.md#lifetimes-of-links-and-codes). Upstream's default for most: 256 random bits cannot be guessed, and
 * people may read their mail only in the evening. They read a recovery mail at once.
 */
export const mailedTokens = {
  confirmation: { type: "signup", linkHours: 24 },
  recovery: { type: "recovery", linkHours: 1 },
  invite: { type: "invite", linkHours: 24 },
  email_change_current: { type: "email_change", linkHours: 24 },
  email_change_new: { type: "email_change", linkHours: 24 },
} as const;
export const codeHours = 1;

export type Purpose = keyof typeof mailedTokens;
const purposes = Object.keys(mailedTokens) as Purpose[];

export const emailChangePurposes = ["email_change_current", "email_change_new"] as const;
export type EmailChangePurpose = (typeof emailChangePurposes)[number];

/** None for a type that this server never mails. "email" also means a confirmation (docs/protocol.md#link-types). */
export function purposesOf(type: string): Purpose[] {
  return purposes.filter((purpose) => mailedTokens[purpose].type === (type === "email" ? "signup" : type));
}

export interface OneTimeToken {
  token: string;
  /** Six digits that can be typed instead of following the link. */
  code: string;
  codeHash: string;
}

/** Call it before the transaction: hashing is slow, and would hold a connection and the lock on the account's row. */
export async function newOneTimeToken(hasher: PasswordHasher): Promise<OneTimeToken> {
  const code = newCode();
  return { token: newLinkToken(), code, codeHash: await hasher.hash(code) };
}

/**
 * Stores a new link and code. Of the earlier links of the same purpose it ends only those older than an hour, so that a
 * stranger who requests mails cannot end the link that the owner is about to follow. After one link or code is used,
 * none works again.
 */
export async function issueToken(
  db: ClientBase,
  { userId, purpose }: { userId: string; purpose: Purpose },
  { token, codeHash }: OneTimeToken,
) {
  await db.query(
    `delete from auth.one_time_tokens where user_id = $1 and purpose = $2
       and created_at not between now() - interval '1 hour' and now() + interval '1 minute'`,
    [userId, purpose],
  );
  await db.query(
    `insert into auth.one_time_tokens
       (user_id, purpose, token_hash, created_at, expires_at, code_hash, code_expires_at)
     values ($1, $2, $3, now(), now() + make_interval(hours => $4), $5, now() + make_interval(hours => $6))`,
    [userId, purpose, hashOf(token), mailedTokens[purpose].linkHours, codeHash, codeHours],
  );
}

/**
 * Uses up a mailed link, or a code that matched, with the other one of the same mail, and locks their account. Returns
 * undefined if the token is unknown, used, ended or expired.
 */
export async function spendToken(
  db: ClientBase,
  tokenHash: Buffer,
  purposes: readonly Purpose[],
): Promise<{ user: User; purpose: Purpose } | undefined> {
  // Lock the account before the token, as the callers of `issueToken` do: different orders of locks can deadlock.
  const locked = await lockUserOfToken(db, tokenHash);
  const { rows } = await db.query<{ purpose: Purpose }>(
    "delete from auth.one_time_tokens where token_hash = $1 and purpose = any ($2) and expires_at > now() returning purpose",
    [tokenHash, purposes],
  );
  // Read again: a statement that waits for a lock sees the factors as they were before.
  const user = locked && rows[0] && (await findUser(db, locked.id));
  return user && rows[0] && { user, ...rows[0] };
}

interface MailedCode {
  userId: string;
  tokenHash: Buffer;
  codeHash: string;
}

interface TypedCode {
  email: string;
  /** What the code may be for. All these purposes share one limit of attempts: that of the first. */
  purposes: readonly Purpose[];
  code: string;
  ip: string;
}

/**
 * Compares a typed code with that of the newest mail. Returns undefined if it is wrong; else the hash of its token, with
 * which the caller must still use it up. The attempt is committed before the comparison, so it counts even if the request
 * fails later. Without an account or a code the same SQL and the same hash run, so timing does not reveal accounts.
 */
export async function matchCode(
  context: AuthContext,
  { email, purposes, code, ip }: TypedCode,
): Promise<Buffer | undefined> {
  const db = repeatable(context.owner);
  const [purpose] = purposes;
  if (!purpose) return undefined;
  const mailed = await findNewestCode(db, { email, purposes });
  const guess = { email, purpose, ip, code: mailed?.codeHash ?? "none" };
  // Beyond any of them the code is wrong. Each mail has tries of its own, so a 429 would tell that the address gets mails.
  const names = ["tries of one code", "tries of one code from all networks", "codes"] as const;
  const attempt = (await takeLimits(context, db, names, guess)) ? undefined : mailed;
  const user = attempt && { id: attempt.userId, email };
  await writeAuditLog(db, { action: "verification_attempted", user, traits: { purpose }, ip });
  // Ignore spaces: the mail shows the code in two halves.
  return (await context.hasher.matches(attempt?.codeHash, code.replace(/\s/g, ""))) ? attempt?.tokenHash : undefined;
}

/** Undefined if the code has expired, or if there is none. The mail about a change of the address also goes to the new one. */
async function findNewestCode(
  db: Database,
  { email, purposes }: { email: string; purposes: readonly Purpose[] },
): Promise<MailedCode | undefined> {
  const { rows } = await db.query<MailedCode>(
    `select t.user_id as "userId", t.token_hash as "tokenHash", t.code_hash as "codeHash"
     from auth.users u join auth.one_time_tokens t on t.user_id = u.id
     where (u.email = $1 and t.purpose <> 'email_change_new' or u.email_change = $1 and t.purpose = 'email_change_new')
       and t.purpose = any ($2) and t.code_expires_at > now()
     order by t.created_at desc limit 1`,
    [email, purposes],
  );
  return rows[0];
}

/** Ends the mailed links and codes of this account. */
export async function deleteOneTimeTokens(db: ClientBase, userId: string, only: readonly Purpose[] = purposes) {
  await db.query("delete from auth.one_time_tokens where user_id = $1 and purpose = any ($2)", [userId, only]);
}
