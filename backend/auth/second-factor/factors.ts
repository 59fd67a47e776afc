import { randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { z } from "zod";
import type { Rows } from "#backend/database/rows";
import type { Database } from "#backend/database/transaction";
import type { Refusal } from "#backend/http/refusal";
import type { SecretKeys } from "#backend/secret-keys";
import { addSeconds } from "../add-seconds.ts";
import { refusals } from "../refusals.ts";
import type { Caller } from "../sessions/require-user.ts";
import { hasSecondFactor, type User } from "../users.ts";
import { removeRecoveryCodes } from "./recovery-codes.ts";

const factorsMax = 10;

/** How long a factor waits for its first code. */
export const unverifiedSeconds = 300;

export const challengeSeconds = 300;

export type Factor = Pick<Rows["auth.mfa_factors"], "id" | "status" | "secret">;

/** Refuses a session that has not used the account's second factor, if it has one. */
export function requireSecondFactor(user: User, { aal }: { aal: string }, refuse: () => Refusal) {
  if (aal !== "aal2" && hasSecondFactor(user)) throw refuse();
}

/** The factor with this id, if it is a verified one of the caller's account or waits in the caller's session. */
export async function requireFactor(db: Database, { user, claims }: Caller, id: string, now: Date): Promise<Factor> {
  if (!z.guid().safeParse(id).success) throw refusals.badFactorId();
  const { rows } = await db.query<Factor>(
    `select id, status, secret from auth.mfa_factors
     where id = $1 and user_id = $2 and (status = 'verified' or session_id = $3 and created_at >= $4)`,
    [id, user.id, claims.session_id, addSeconds(now, -unverifiedSeconds)],
  );
  const [factor] = rows;
  if (!factor) throw refusals.noSuchFactor();
  return factor;
}

/**
 * Adds a factor, which counts from its first code on. It replaces an unverified one of its name and session, so that a
 * person can begin again at once. The caller must have locked the account.
 */
export async function addFactor(
  db: ClientBase,
  { user, claims }: Caller,
  { name, secret }: { name: string; secret: string },
  { secretKeys, now }: { secretKeys: SecretKeys; now: Date },
): Promise<string> {
  await db.query(
    "delete from auth.mfa_factors where user_id = $1 and session_id = $2 and (friendly_name = $3 or created_at < $4)",
    [user.id, claims.session_id, name, addSeconds(now, -unverifiedSeconds)],
  );
  const { rows: others } = await db.query<Pick<Rows["auth.mfa_factors"], "friendly_name">>(
    "select friendly_name from auth.mfa_factors where user_id = $1 and (status = 'verified' or session_id = $2)",
    [user.id, claims.session_id],
  );
  if (others.some((other) => other.friendly_name === name)) throw refusals.factorNameTaken(name);
  if (others.length >= factorsMax) throw refusals.tooManyFactors();
  requireSecondFactor(user, claims, refusals.needsSecondFactor.toEnroll);

  const id = randomUUID();
  await db.query(
    `insert into auth.mfa_factors (id, user_id, session_id, friendly_name, factor_type, created_at, updated_at, secret)
     values ($1, $2, $3, $4, 'totp', $5, $5, $6)`,
    [id, user.id, claims.session_id, name, now, await secretKeys.encrypt(secret, id)],
  );
  return id;
}

/** Returns the id and when it expires, in seconds since 1970. A challenge works only from where it was asked for. */
export async function addChallenge(db: ClientBase, factor: Factor, ip: string, now: Date) {
  const { rows } = await db.query<Pick<Rows["auth.mfa_challenges"], "id">>(
    `with factor as (update auth.mfa_factors set last_challenged_at = $2 where id = $1 returning id)
     insert into auth.mfa_challenges (factor_id, created_at, ip_address) select id, $2, $3 from factor returning id`,
    [factor.id, now, ip],
  );
  const [challenge] = rows;
  if (!challenge) throw refusals.noSuchFactor();
  return { id: challenge.id, expires_at: Math.floor(now.getTime() / 1000) + challengeSeconds };
}

export async function requireOpenChallenge(db: Database, id: string, factor: Factor, ip: string, now: Date) {
  const { rows } = await db.query<Pick<Rows["auth.mfa_challenges"], "created_at" | "verified_at" | "ip_address">>(
    "select created_at, verified_at, ip_address from auth.mfa_challenges where id = $1 and factor_id = $2",
    [id, factor.id],
  );
  const [challenge] = rows;
  if (!challenge) throw refusals.noSuchChallenge();
  if (challenge.verified_at || challenge.ip_address !== ip) throw refusals.challengeElsewhere();
  if (challenge.created_at < addSeconds(now, -challengeSeconds)) throw refusals.challengeExpired(id);
}

/** Uses up a challenge. Throws if another request has used it meanwhile. */
export async function spendChallenge(db: ClientBase, id: string, now: Date) {
  const { rowCount } = await db.query(
    "update auth.mfa_challenges set verified_at = $2 where id = $1 and verified_at is null",
    [id, now],
  );
  if (!rowCount) throw refusals.challengeElsewhere();
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
export async function confirmFactor(db: ClientBase, user: User, { id }: Factor, now: Date) {
  await db.query(
    `update auth.mfa_factors set status = 'verified', session_id = null, updated_at = $2
     where id = $1 and status = 'unverified'`,
    [id, now],
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

async function lowerSessions(db: ClientBase, condition: string, value: string) {
  await db.query(
    `update auth.sessions set aal = 'aal1', factor_id = null,
       amr = jsonb_path_query_array(amr, '$[*] ? (@.method != "totp" && @.method != "mfa/recovery_code")')
     where ${condition} and aal = 'aal2'`,
    [value],
  );
}

/** Encrypts with the first key the secrets that another key has encrypted, and those of earlier versions. */
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
