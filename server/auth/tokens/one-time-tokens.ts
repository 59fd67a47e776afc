import type { ClientBase } from "pg";
import type { PasswordHasher } from "../passwords/password-hasher.ts";
import { hashOf, newCode, newLinkToken } from "./secrets.ts";

export type Purpose = "confirmation" | "recovery" | "invite";

const hour = 60 * 60;
const day = 24 * hour;

/**
 * A day is upstream's own default (protocol section 3). Hosted shortens it to an hour because there the link is as
 * guessable as its code; ours has 256 random bits, and people read their mail in the evening. Whoever asks for a new
 * password sits in front of it.
 */
const linkSeconds: Record<Purpose, number> = { confirmation: day, invite: day, recovery: hour };
const codeSeconds = hour;

/** A million codes: five tries find one of 200,000. */
const codeAttempts = 5;

export interface OneTimeToken {
  /** For a link. */
  token: string;
  /** Six digits to type instead. */
  code: string;
  codeHash: string;
}

/** Made before a transaction begins: hashing takes its time, and would hold a connection and the account's row. */
export async function newOneTimeToken(hasher: PasswordHasher): Promise<OneTimeToken> {
  const code = newCode();
  return { token: newLinkToken(), code, codeHash: await hasher.hash(code) };
}

/** Makes link and code good for one use of either; earlier ones of the purpose stop working. */
export async function issueToken(
  db: ClientBase,
  { userId, purpose }: { userId: string; purpose: Purpose },
  { token, codeHash }: OneTimeToken,
  now: Date,
) {
  await db.query(
    `insert into auth.one_time_tokens
       (user_id, purpose, token_hash, expires_at, code_hash, code_expires_at, code_tries_left)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id, purpose) do update set
       (token_hash, expires_at, code_hash, code_expires_at, code_tries_left) =
       (excluded.token_hash, excluded.expires_at, excluded.code_hash, excluded.code_expires_at, excluded.code_tries_left)`,
    [userId, purpose, hashOf(token), after(now, linkSeconds[purpose]), codeHash, after(now, codeSeconds), codeAttempts],
  );
}

/** Spends a link's token: the account it is for, or undefined if it is unknown, used, replaced or too old. */
export async function spendLink(
  db: ClientBase,
  { token, purpose }: { token: string; purpose: Purpose },
  now: Date,
): Promise<string | undefined> {
  const hash = hashOf(token);
  // The account first, as whoever issues a token does: in another order, two could wait for each other.
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

/** A right to compare a typed code with this hash once. */
export interface CodeAttempt {
  userId: string;
  purpose: Purpose;
  codeHash: string;
}

/**
 * Takes one of the five tries; undefined if none is left, or there is no code. To be committed before anybody looks at
 * the code. The row's lock makes a hundred at once wait for each other, so the sixth finds nothing.
 */
export async function takeCodeAttempt(
  db: ClientBase,
  { email, purpose }: { email: string; purpose: Purpose },
  now: Date,
): Promise<CodeAttempt | undefined> {
  const { rows } = await db.query<{ user_id: string; code_hash: string }>(
    `update auth.one_time_tokens t set code_tries_left = code_tries_left - 1
     from auth.users u
     where u.email = $1 and t.user_id = u.id and t.purpose = $2 and t.code_tries_left > 0 and t.code_expires_at > $3
     returning t.user_id, t.code_hash`,
    [email, purpose, now],
  );
  const [row] = rows;
  return row && { userId: row.user_id, purpose, codeHash: row.code_hash };
}

/** Spends the code that proved right, and its link with it; false if something else did. The account must be locked. */
export async function spendCode(db: ClientBase, { userId, purpose, codeHash }: CodeAttempt): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from auth.one_time_tokens where user_id = $1 and purpose = $2 and code_hash = $3",
    [userId, purpose, codeHash],
  );
  return rowCount === 1;
}

/** Whatever else was mailed to this account stops working. */
export async function deleteOneTimeTokens(db: ClientBase, userId: string) {
  await db.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
