import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import type { Rows } from "#backend/database/rows";
import type { Refusal } from "#backend/http/refusal";
import type { SecretKeys } from "#backend/secret-keys";
import { refusals } from "../refusals.ts";
import type { SignedIn } from "../sessions/require-user.ts";
import { hasSecondFactor, type User } from "../users.ts";

const factorsMax = 10;

/** How long a factor waits for its first code. */
export const unverifiedSeconds = 300;

export type Factor = Pick<Rows["auth.mfa_factors"], "id" | "status" | "secret">;

/** Refuses a session that has not used the account's second factor, if it has one. */
export function requireSecondFactor(user: User, { aal }: { aal: string }, refuse: () => Refusal) {
  if (aal !== "aal2" && hasSecondFactor(user)) throw refuse();
}

/** In SQL: a verified factor belongs to the account, and one that waits for its first code to the session `$2`. */
export const isUsableFactor = `(status = 'verified'
  or session_id = $2 and created_at >= now() - interval '${unverifiedSeconds} seconds')`;

/**
 * Makes room for a factor of this name, which counts from its first code on. It replaces an unverified one of its name and
 * session, so that a person can begin again at once. The caller must have locked the account.
 */
export async function makeRoomForFactor(db: ClientBase, { user, claims }: SignedIn, name: string) {
  await db.query(
    `delete from auth.mfa_factors where user_id = $1 and session_id = $2 and (friendly_name = $3 or not ${isUsableFactor})`,
    [user.id, claims.session_id, name],
  );
  const { rows: others } = await db.query<Pick<Rows["auth.mfa_factors"], "friendly_name">>(
    `select friendly_name from auth.mfa_factors where user_id = $1 and ${isUsableFactor}`,
    [user.id, claims.session_id],
  );
  if (others.some((other) => other.friendly_name === name)) throw refusals.factorNameTaken(name);
  if (others.length >= factorsMax) throw refusals.tooManyFactors();
  requireSecondFactor(user, claims, refusals.needsSecondFactor.toEnroll);
}

/**
 * Uses up the code of this step. Returns false if it was used before. A step that is minutes ahead was stored while a clock
 * was wrong, and must not refuse all codes until then. The caller must have locked the account.
 */
export async function spendStep(db: ClientBase, { id }: Factor, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update auth.mfa_factors set last_used_step = $2
     where id = $1 and (last_used_step is null or last_used_step < $2 or last_used_step > $2 + 10)`,
    [id, step],
  );
  return rowCount === 1;
}

/** Makes the factor count from now on. Other factors of the account that wait for their first code end. */
export async function confirmFactor(db: ClientBase, user: User, { id }: Factor) {
  await db.query(
    `update auth.mfa_factors set status = 'verified', session_id = null, updated_at = now()
     where id = $1 and status = 'unverified'`,
    [id],
  );
  await db.query("delete from auth.mfa_factors where user_id = $1 and status = 'unverified'", [user.id]);
}

/**
 * Sessions that used the factor fall back to aal1; with the last one, so do all sessions, and the recovery codes end.
 * The caller must have locked the account.
 */
export async function removeFactor(db: ClientBase, user: User, { id }: Factor) {
  await lowerSessions(db, "factor_id = $1", id);
  await db.query("delete from auth.mfa_factors where id = $1", [id]);
  const { rowCount } = await db.query(
    "select from auth.mfa_factors where user_id = $1 and status = 'verified' limit 1",
    [user.id],
  );
  if (rowCount) return;
  await lowerSessions(db, "user_id = $1", user.id);
  await removeRecoveryCodes(db, user);
}

export async function removeRecoveryCodes(db: ClientBase, user: User) {
  await db.query("delete from auth.mfa_recovery_codes where user_id = $1", [user.id]);
}

async function lowerSessions(db: ClientBase, condition: string, value: string) {
  await db.query(
    `update auth.sessions set aal = 'aal1', factor_id = null,
       amr = jsonb_path_query_array(amr, '$[*] ? (@.method != "totp" && @.method != "mfa/recovery_code")')
     where ${condition} and aal = 'aal2'`,
    [value],
  );
}

/** Encrypts with the first key the secrets that another key has encrypted. */
export async function encryptSecrets(owner: Pool, keys: SecretKeys, log: Pick<BaseLogger, "error">) {
  const { rows } = await owner.query<Pick<Factor, "id" | "secret">>("select id, secret from auth.mfa_factors");
  const problems = new Set<string>();
  for (const { id, secret } of rows) {
    const renewed = await keys.renew(secret, id).catch(({ message }: Error) => void problems.add(message));
    if (renewed !== undefined && renewed !== secret)
      await owner.query("update auth.mfa_factors set secret = $3 where id = $1 and secret = $2", [id, secret, renewed]);
  }
  for (const problem of problems) log.error(`The secret of a second factor cannot be decrypted. ${problem}`);
}
