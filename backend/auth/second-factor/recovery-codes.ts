import { randomBytes } from "node:crypto";
import type { ClientBase } from "pg";
import type { Database } from "#backend/database/transaction";
import { hashOf } from "../tokens/random-tokens.ts";
import type { User } from "../users.ts";

export const codesInSet = 10;

/** Crockford's base32: no i, l, o and u, which look like other characters or make words. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const characters = 16;

/** Makes new codes, which are nowhere stored in the clear; the old ones end. The caller must have locked the account. */
export async function replaceRecoveryCodes(db: ClientBase, user: User): Promise<string[]> {
  const codes = Array.from({ length: codesInSet }, newCode);
  await removeRecoveryCodes(db, user);
  await db.query(
    "insert into auth.mfa_recovery_codes (user_id, code_hash, created_at) select $1, unnest($2::bytea[]), now()",
    [user.id, codes.map(hashOf)],
  );
  return codes;
}

export async function removeRecoveryCodes(db: ClientBase, user: User) {
  await db.query("delete from auth.mfa_recovery_codes where user_id = $1", [user.id]);
}

export async function countRecoveryCodes(db: Database, user: User): Promise<number> {
  const { rows } = await db.query<{ codes: number }>(
    "select count(*)::int as codes from auth.mfa_recovery_codes where user_id = $1",
    [user.id],
  );
  return rows[0]?.codes ?? 0;
}

/** Uses up a code. Returns false if the account has no such code. Of several requests at once, one uses it. */
export async function spendRecoveryCode(db: ClientBase, user: User, typed: string): Promise<boolean> {
  const sql = "delete from auth.mfa_recovery_codes where user_id = $1 and code_hash = $2";
  const { rowCount } = await db.query(sql, [user.id, hashOf(readCode(typed))]);
  return rowCount === 1;
}

function newCode(): string {
  return Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Forgives how a person writes a code: capital letters, spaces, dashes, and letters that look like a digit. */
function readCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
}
