import type { ClientBase } from "pg";
import type { PasswordHasher } from "../passwords/password-hasher.ts";
import { hashOf, newCode, newLinkToken } from "./secrets.ts";

export type Purpose = "confirmation" | "recovery" | "invite";

const hour = 60 * 60;
const day = 24 * hour;

/**
 * The lifetime of a link (docs/protocol.md#lifetimes-of-links-and-codes). It is a day, like upstream's default, because
 * 256 random bits cannot be guessed, and people may read their mail only in the evening. A recovery link lasts an hour,
 * because people read that mail at once.
 */
export const linkSeconds: Record<Purpose, number> = { confirmation: day, invite: day, recovery: hour };
export const codeSeconds = hour;

/**
 * How often a code may be tried. There are a million codes, so five guesses at the code of a mail succeed once in
 * 200,000 mails.
 */
export const codeAttempts = 5;

export interface OneTimeToken {
  /** The secret in the link. */
  token: string;
  /** Six digits that can be typed instead of following the link. */
  code: string;
  codeHash: string;
}

/**
 * Makes the secrets of a mail. Call it before the transaction: hashing is slow, and would hold a connection and the
 * lock on the account's row.
 */
export async function newOneTimeToken(hasher: PasswordHasher): Promise<OneTimeToken> {
  const code = newCode();
  return { token: newLinkToken(), code, codeHash: await hasher.hash(code) };
}

/**
 * Stores a link and a code, which replace earlier ones of the same purpose. After one of the two is used, neither works
 * again.
 */
export async function issueToken(
  db: ClientBase,
  { userId, purpose }: { userId: string; purpose: Purpose },
  { token, codeHash }: OneTimeToken,
  now: Date,
) {
  await db.query(
    `insert into auth.one_time_tokens
       (user_id, purpose, token_hash, expires_at, code_hash, code_expires_at, code_attempts_left)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id, purpose) do update set
       (token_hash, expires_at, code_hash, code_expires_at, code_attempts_left) =
       (excluded.token_hash, excluded.expires_at, excluded.code_hash, excluded.code_expires_at, excluded.code_attempts_left)`,
    [userId, purpose, hashOf(token), after(now, linkSeconds[purpose]), codeHash, after(now, codeSeconds), codeAttempts],
  );
}

/**
 * Uses up a link's token and returns its user id. Returns undefined if the token is unknown, used, replaced or expired.
 */
export async function spendLink(
  db: ClientBase,
  { token, purpose }: { token: string; purpose: Purpose },
  now: Date,
): Promise<string | undefined> {
  const hash = hashOf(token);
  // Lock the account before the token's row, as the callers of `issueToken` do: two transactions that lock in different
  // orders can deadlock.
  await db.query(
    "select from auth.users where id = (select user_id from auth.one_time_tokens where token_hash = $1) for update",
    [hash],
  );
  const { rows } = await db.query<{ user_id: string }>(
    "delete from auth.one_time_tokens where token_hash = $1 and purpose = $2 and expires_at > $3 returning user_id",
    [hash, purpose, now],
  );
  return rows[0]?.user_id;
}

/** Permission to compare a typed code with this hash once. */
export interface CodeAttempt {
  userId: string;
  purpose: Purpose;
  codeHash: string;
}

/**
 * Takes one of the five attempts. Returns undefined if none remains or there is no code. Commit the transaction before
 * comparing the code. The row lock makes concurrent requests wait for each other, so a sixth request gets no attempt.
 */
export async function takeCodeAttempt(
  db: ClientBase,
  { email, purpose }: { email: string; purpose: Purpose },
  now: Date,
): Promise<CodeAttempt | undefined> {
  const { rows } = await db.query<{ user_id: string; code_hash: string }>(
    `update auth.one_time_tokens t set code_attempts_left = code_attempts_left - 1
     from auth.users u
     where u.email = $1 and t.user_id = u.id and t.purpose = $2 and t.code_attempts_left > 0 and t.code_expires_at > $3
     returning t.user_id, t.code_hash`,
    [email, purpose, now],
  );
  const [row] = rows;
  return row && { userId: row.user_id, purpose, codeHash: row.code_hash };
}

/**
 * Uses up a code that matched, and the link from the same mail. Returns false if another request has already used or
 * replaced them. The caller must have locked the account.
 */
export async function spendCode(db: ClientBase, { userId, purpose, codeHash }: CodeAttempt): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from auth.one_time_tokens where user_id = $1 and purpose = $2 and code_hash = $3",
    [userId, purpose, codeHash],
  );
  return rowCount === 1;
}

/** Ends all mailed links and codes of this account. */
export async function deleteOneTimeTokens(db: ClientBase, userId: string) {
  await db.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
